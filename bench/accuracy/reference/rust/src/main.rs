//! What `syn` says a Rust file declares, one JSON object a line for each path on standard input.
use proc_macro2::{LineColumn, Span};
use std::io::BufRead;
use syn::spanned::Spanned;
use syn::*;

struct Declared {
    name: String,
    exported: bool,
    signature: Option<String>,
}

struct Reader<'a> {
    lines: Vec<&'a str>,
    items: Vec<Declared>,
}

fn main() {
    for path in std::io::stdin().lock().lines().map_while(|line| line.ok()) {
        println!("{}", describe(&path));
    }
}

fn describe(path: &str) -> String {
    let Ok(text) = std::fs::read_to_string(path) else {
        return format!("{{\"path\":{},\"error\":\"not read\"}}", quoted(path));
    };
    match parse_file(&text) {
        Err(error) => format!("{{\"path\":{},\"error\":{}}}", quoted(path), quoted(&error.to_string())),
        Ok(file) => {
            let mut reader = Reader { lines: text.split('\n').collect(), items: vec![] };
            reader.all("", true, &file.items);
            let items: Vec<String> = reader.items.iter().map(written).collect();
            format!("{{\"path\":{},\"items\":[{}]}}", quoted(path), items.join(","))
        }
    }
}

fn is_public(vis: &Visibility) -> bool {
    !matches!(vis, Visibility::Inherited)
}

impl Reader<'_> {
    fn text(&self, from: LineColumn, to: LineColumn) -> String {
        let cut = |line: &str, from: usize, to: usize| -> String {
            line.chars().skip(from).take(to.saturating_sub(from)).collect()
        };
        if from.line == to.line {
            return cut(self.lines[from.line - 1], from.column, to.column);
        }
        let mut text = cut(self.lines[from.line - 1], from.column, usize::MAX);
        for line in from.line..to.line - 1 {
            text.push('\n');
            text.push_str(self.lines[line]);
        }
        text.push('\n');
        text + &cut(self.lines[to.line - 1], 0, to.column)
    }

    /// From the first attribute that is no comment up to the body.
    fn head(&self, attributes: &[Attribute], keyword: Span, end: LineColumn) -> Option<String> {
        let first = attributes.iter().find(|each| !each.path.is_ident("doc") && matches!(each.style, AttrStyle::Outer));
        let start = first.map_or(keyword.start(), |each| each.span().start());
        Some(self.text(start, end).trim_end().trim_end_matches([';', ',']).trim_end().to_string())
    }

    fn add(&mut self, name: String, exported: bool, signature: Option<String>) {
        self.items.push(Declared { name, exported, signature });
    }

    fn all(&mut self, owner: &str, open: bool, items: &[Item]) {
        for item in items {
            self.item(owner, open, item);
        }
    }

    fn item(&mut self, owner: &str, open: bool, item: &Item) {
        let named = |ident: &Ident| format!("{owner}{ident}");
        match item {
            Item::Fn(each) => {
                let from = start(&each.vis, each.sig.span());
                let text = self.head(&each.attrs, from, each.block.span().start());
                self.add(named(&each.sig.ident), open && is_public(&each.vis), text);
            }
            Item::Struct(each) => {
                let from = start(&each.vis, each.struct_token.span);
                let open = open && is_public(&each.vis);
                let end = match &each.fields {
                    Fields::Named(fields) => fields.brace_token.span.start(),
                    _ => each.span().end(),
                };
                let text = self.head(&each.attrs, from, end);
                self.add(named(&each.ident), open, text);
                if let Fields::Named(fields) = &each.fields {
                    self.fields(&named(&each.ident), open, fields);
                }
            }
            Item::Union(each) => {
                let from = start(&each.vis, each.union_token.span);
                let open = open && is_public(&each.vis);
                let text = self.head(&each.attrs, from, each.fields.brace_token.span.start());
                self.add(named(&each.ident), open, text);
                self.fields(&named(&each.ident), open, &each.fields);
            }
            Item::Enum(each) => {
                let from = start(&each.vis, each.enum_token.span);
                let open = open && is_public(&each.vis);
                let text = self.head(&each.attrs, from, each.span().end());
                self.add(named(&each.ident), open, text);
                for variant in &each.variants {
                    let text = self.head(&variant.attrs, variant.ident.span(), variant.span().end());
                    self.add(format!("{}.{}", named(&each.ident), variant.ident), open, text);
                }
            }
            Item::Trait(each) => {
                let unsafety = each.unsafety.as_ref().map_or(each.trait_token.span, |word| word.span);
                let from = start(&each.vis, unsafety);
                let open = open && is_public(&each.vis);
                let text = self.head(&each.attrs, from, each.brace_token.span.start());
                self.add(named(&each.ident), open, text);
                for member in &each.items {
                    self.trait_member(&named(&each.ident), open, member);
                }
            }
            Item::Impl(each) => {
                for member in &each.items {
                    self.impl_member(&format!("{owner}{}", base(&each.self_ty)), open, each.trait_.is_some(), member);
                }
            }
            Item::Mod(each) => {
                let open = open && is_public(&each.vis);
                let from = start(&each.vis, each.mod_token.span);
                let end = each.content.as_ref().map_or(each.span().end(), |(brace, _)| brace.span.start());
                let text = self.head(&each.attrs, from, end);
                self.add(named(&each.ident), open, text);
                if let Some((_, items)) = &each.content {
                    self.all(&format!("{}.", named(&each.ident)), open, items);
                }
            }
            Item::Const(each) => self.add(named(&each.ident), open && is_public(&each.vis), None),
            Item::Static(each) => self.add(named(&each.ident), open && is_public(&each.vis), None),
            Item::Type(each) => {
                let from = start(&each.vis, each.type_token.span);
                let text = self.head(&each.attrs, from, each.span().end());
                self.add(named(&each.ident), open && is_public(&each.vis), text);
            }
            Item::ForeignMod(each) => {
                for member in &each.items {
                    if let ForeignItem::Fn(function) = member {
                        let from = start(&function.vis, function.sig.span());
                        let text = self.head(&function.attrs, from, function.span().end());
                        self.add(named(&function.sig.ident), open && is_public(&function.vis), text);
                    } else if let ForeignItem::Static(value) = member {
                        self.add(named(&value.ident), open && is_public(&value.vis), None);
                    }
                }
            }
            Item::Macro(each) => self.macro_call(owner, open, each),
            Item::Use(each) if is_public(&each.vis) => self.uses(owner, open, "", &each.tree),
            _ => {}
        }
    }

    /// `macro_rules! name`, or a call whose words are items.
    fn macro_call(&mut self, owner: &str, open: bool, each: &ItemMacro) {
        if let Some(ident) = &each.ident {
            let exported = open && each.attrs.iter().any(|attribute| attribute.path.is_ident("macro_export"));
            return self.add(format!("{owner}{ident}"), exported, None);
        }
        if let Ok(file) = parse2::<File>(each.mac.tokens.clone()) {
            self.all(owner, open, &file.items);
        }
    }

    fn uses(&mut self, owner: &str, open: bool, last: &str, tree: &UseTree) {
        match tree {
            UseTree::Path(path) => self.uses(owner, open, &path.ident.to_string(), &path.tree),
            UseTree::Name(name) if name.ident == "self" => self.add(format!("{owner}{last}"), open, None),
            UseTree::Name(name) => self.add(format!("{owner}{}", name.ident), open, None),
            UseTree::Rename(name) => self.add(format!("{owner}{}", name.rename), open, None),
            UseTree::Glob(_) => self.add(format!("{owner}*"), open, None),
            UseTree::Group(group) => group.items.iter().for_each(|each| self.uses(owner, open, last, each)),
        }
    }

    fn fields(&mut self, owner: &str, open: bool, fields: &FieldsNamed) {
        for field in &fields.named {
            let Some(ident) = &field.ident else { continue };
            let text = self.head(&field.attrs, start(&field.vis, ident.span()), field.span().end());
            self.add(format!("{owner}.{ident}"), open && is_public(&field.vis), text);
        }
    }

    fn trait_member(&mut self, owner: &str, open: bool, member: &TraitItem) {
        match member {
            TraitItem::Method(each) => {
                let end = each.default.as_ref().map_or(each.span().end(), |block| block.span().start());
                let text = self.head(&each.attrs, each.sig.span(), end);
                self.add(format!("{owner}.{}", each.sig.ident), open, text);
            }
            TraitItem::Const(each) => self.add(format!("{owner}.{}", each.ident), open, None),
            TraitItem::Type(each) => self.add(format!("{owner}.{}", each.ident), open, None),
            TraitItem::Macro(each) => {
                for inner in inside::<TraitItem>(&each.mac) {
                    self.trait_member(owner, open, &inner);
                }
            }
            _ => {}
        }
    }

    fn impl_member(&mut self, owner: &str, open: bool, of_trait: bool, member: &ImplItem) {
        match member {
            ImplItem::Method(each) => {
                let from = start(&each.vis, each.defaultness.as_ref().map_or(each.sig.span(), |word| word.span));
                let text = self.head(&each.attrs, from, each.block.span().start());
                self.add(format!("{owner}.{}", each.sig.ident), open && (of_trait || is_public(&each.vis)), text);
            }
            ImplItem::Const(each) => self.add(format!("{owner}.{}", each.ident), open && (of_trait || is_public(&each.vis)), None),
            ImplItem::Type(each) => self.add(format!("{owner}.{}", each.ident), open && (of_trait || is_public(&each.vis)), None),
            ImplItem::Macro(each) => {
                for inner in inside::<ImplItem>(&each.mac) {
                    self.impl_member(owner, open, of_trait, &inner);
                }
            }
            _ => {}
        }
    }
}

/// The items a macro call holds; none where its words are something else.
fn inside<T: parse::Parse>(call: &Macro) -> Vec<T> {
    let all = |input: parse::ParseStream| {
        let mut items = vec![];
        while !input.is_empty() {
            items.push(input.parse()?);
        }
        Ok(items)
    };
    parse::Parser::parse2(all, call.tokens.clone()).unwrap_or_default()
}

fn start(vis: &Visibility, keyword: Span) -> Span {
    if is_public(vis) { vis.span() } else { keyword }
}

/// The last name of a type's path, as a person would call it.
fn base(ty: &Type) -> String {
    match ty {
        Type::Path(path) => path.path.segments.last().map_or("?".into(), |each| each.ident.to_string()),
        Type::Reference(inner) => base(&inner.elem),
        Type::Paren(inner) => base(&inner.elem),
        Type::Group(inner) => base(&inner.elem),
        _ => "?".into(),
    }
}

fn written(item: &Declared) -> String {
    let signatures = item.signature.as_deref().map_or(String::new(), quoted);
    format!("{{\"name\":{},\"exported\":{},\"signatures\":[{signatures}]}}", quoted(&item.name), item.exported)
}

fn quoted(text: &str) -> String {
    let mut json = String::from("\"");
    for each in text.chars() {
        match each {
            '"' | '\\' => json.extend(['\\', each]),
            each if (each as u32) < 32 => json.push_str(&format!("\\u{:04x}", each as u32)),
            each => json.push(each),
        }
    }
    json + "\""
}

import type { Binding } from './fact.ts';
import type { Node } from './node.ts';

/** Returns the names that an import statement, or a `require` of CommonJS, brings into a file. */
export function bindingsOf(node: Node): Binding[] {
  return READERS[node.type]?.(node) ?? [];
}

export function mayBind(type: string): boolean {
  return Object.hasOwn(READERS, type);
}

const READERS: Readonly<Record<string, (node: Node) => Binding[]>> = {
  import_statement: (node) =>
    node.childForFieldName('source') === null ? pythonImport(node) : scriptImport(node),
  export_statement: scriptReExport,
  import_from_statement: pythonFrom,
  import_spec: goImport,
  import_declaration: jvmImport,
  import: jvmImport,
  use_declaration: rustUse,
  namespace_use_clause: phpUse,
  variable_declarator: requireCall,
};

function scriptImport(node: Node): Binding[] {
  const module = unquoted(node.childForFieldName('source'));
  const clause = node.namedChildren.find((child) => child?.type === 'import_clause');
  return (clause?.namedChildren ?? []).flatMap((part): Binding[] => {
    if (part === null) return [];
    if (part.type === 'identifier') return [{ local: part.text, module, name: 'default' }];
    if (part.type === 'namespace_import')
      return [{ local: part.lastNamedChild?.text ?? '', module, name: '*' }];
    return part.namedChildren.flatMap((each) => (each === null ? [] : specifier(each, module)));
  });
}

/** `export { a as b } from 'm'`, `export * from 'm'`: names that others have from this file. */
function scriptReExport(node: Node): Binding[] {
  const source = node.childForFieldName('source');
  if (source === null) return [];
  const module = unquoted(source);
  const clause = node.namedChildren.find((child) => child?.type === 'export_clause');
  if (clause == null) return [{ local: '*', module, name: '*' }];
  return clause.namedChildren.flatMap((each) => (each === null ? [] : specifier(each, module)));
}

function specifier(node: Node, module: string): Binding[] {
  const name = node.childForFieldName('name')?.text;
  return name === undefined ? [] : [{ local: node.childForFieldName('alias')?.text ?? name, module, name }];
}

/** `const a = require('m')`, `const { a, b: c } = require('m')`, `const a = require('m').b`. */
function requireCall(node: Node): Binding[] {
  const value = node.childForFieldName('value')?.text ?? '';
  const [, module, member] =
    /^(?:await\s+)?(?:require|import)\(\s*['"]([^'"]+)['"]\s*\)(?:\.([\w$]+))?$/.exec(value) ?? [];
  const name = node.childForFieldName('name');
  if (module === undefined || name === null) return [];
  if (name.type === 'identifier') return [{ local: name.text, module, name: member ?? '*' }];
  return name.namedChildren.flatMap((each) => {
    if (each?.type === 'shorthand_property_identifier_pattern')
      return [{ local: each.text, module, name: each.text }];
    const [key, local] = [each?.childForFieldName('key')?.text, each?.childForFieldName('value')?.text];
    return key === undefined || local === undefined ? [] : [{ local, module, name: key }];
  });
}

function pythonImport(node: Node): Binding[] {
  return node.childrenForFieldName('name').flatMap((each) => {
    if (each === null) return [];
    const alias = each.childForFieldName('alias')?.text;
    const module = (alias === undefined ? each : each.childForFieldName('name'))?.text ?? '';
    return [{ local: alias ?? module, module, name: '*' }];
  });
}

function pythonFrom(node: Node): Binding[] {
  const module = node.childForFieldName('module_name')?.text ?? '';
  return node.childrenForFieldName('name').flatMap((each) => {
    if (each === null) return [];
    const alias = each.childForFieldName('alias')?.text;
    const name = (alias === undefined ? each : each.childForFieldName('name'))?.text ?? '';
    return [{ local: alias ?? name, module, name }];
  });
}

function goImport(node: Node): Binding[] {
  const module = unquoted(node.childForFieldName('path'));
  // `…/chi/v5` is package `chi`; `gopkg.in/yaml.v3` is `yaml`.
  const parts = module.split('/').filter((part) => !/^v\d+$/.test(part));
  const usual = (parts.at(-1) ?? '').replace(/\.v\d+$/, '').replace(/^go-|-go$/g, '');
  return [{ local: node.childForFieldName('name')?.text ?? usual, module, name: '*' }];
}

/** `import a.b.C;`, `import static a.B.m;`, `import a.b.C as D`. A star brings names that are looked up elsewhere. */
function jvmImport(node: Node): Binding[] {
  const [, path, alias] =
    /^import\s+(?:static\s+)?([\w.]+)(?:\s+as\s+(\w+))?\s*;?$/.exec(node.text.trim()) ?? [];
  const at = path?.lastIndexOf('.') ?? -1;
  if (path === undefined || at === -1) return [];
  const name = path.slice(at + 1);
  return [{ local: alias ?? name, module: path.slice(0, at), name }];
}

const MAX_USES = 500;

function rustUse(node: Node): Binding[] {
  const text = node.childForFieldName('argument')?.text.replace(/\s+/g, ' ');
  return text === undefined ? [] : expandUse(text, '').slice(0, MAX_USES);
}

/** `a::{b, c::D as E}` gives `b` and `E`; `a::{self}` gives `a`. */
function expandUse(text: string, prefix: string): Binding[] {
  const open = text.indexOf('{');
  if (open !== -1) {
    const head = prefix + text.slice(0, open).trim();
    return topLevel(text.slice(open + 1, text.lastIndexOf('}'))).flatMap((part) =>
      expandUse(part.trim(), head),
    );
  }
  const [, path = '', alias] =
    /^(.+?)(?: as (\w+))?$/.exec((prefix + text).trim().replace(/::self$/, '')) ?? [];
  const parts = path.split('::');
  const name = parts.pop() ?? '';
  if (name === '' || name === '*' || alias === '_') return [];
  return [{ local: alias ?? name, module: parts.join('::'), name }];
}

function topLevel(list: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const char of list) {
    if (char === '{') depth += 1;
    if (char === '}') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.filter((part) => part.trim() !== '');
}

function phpUse(node: Node): Binding[] {
  const path = node.firstNamedChild?.text.replace(/^\\/, '') ?? '';
  const at = path.lastIndexOf('\\');
  const name = path.slice(at + 1);
  const local = node.childForFieldName('alias')?.text ?? name;
  return name === '' ? [] : [{ local, module: path.slice(0, Math.max(at, 0)), name }];
}

function unquoted(node: Node | null): string {
  return node?.text.replace(/^['"`]|['"`]$/g, '') ?? '';
}

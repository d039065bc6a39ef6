import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import type { Hiding } from '../../tree/parsers.ts';
import {
  childOfType,
  childrenOfType,
  declare,
  declareHolder,
  documented,
  field,
  fieldText,
  importOf,
  inPlaceOf,
  type Place,
  readInside,
  readTop,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';

function readUses(node: Node): ImportStatement[] {
  if (node.type === 'extern_crate_declaration') return [importOf(node, fieldText(node, 'name'))];
  const argument = node.type === 'use_declaration' ? field(node, 'argument') : null;
  if (argument === null) return [];
  const { module, names } = usedNames(argument);
  return [importOf(node, module, names)];
}

/** Reads re-exports: `pub use a::{b, c as d, e::{f}}` re-exports `b`, `d` and `f`. */
function readReExports(statement: Statement): Declaration[] {
  const { node } = statement;
  const argument = field(node, 'argument');
  if (childOfType(node, 'visibility_modifier') === null || argument === null) return [];
  const { module, names } = usedNames(argument);
  return names.map((written) => {
    const name = shownName(written, module);
    const whole = declare(statement, { name, kind: 're-export', exported: true });
    const signature = names.length === 1 ? whole.signature : alone(node, module, written);
    return { ...whole, signature, from: module };
  });
}

/** Returns a `use` statement for one name of a list. */
function alone(node: Node, module: string, written: string): string {
  const seen = childOfType(node, 'visibility_modifier')?.text ?? 'pub';
  return `${seen} use ${module === '' ? written : `${module}::${written}`}`;
}

/** Returns the name that a re-export adds. `self` in a list means the module before the list. */
function shownName(written: string, module: string): string {
  const [path = '', alias = path] = written.split(' as ');
  const segments = `${module}::${alias}`.split('::').filter((segment) => segment !== 'self');
  return segments.at(-1) ?? alias;
}

interface Used {
  module: string;
  /** Names inside the module, with nested lists flattened: `e::f`, `c as d`, `*`, `self`. */
  names: string[];
}

function usedNames(argument: Node): Used {
  if (argument.type === 'scoped_use_list')
    return { module: fieldText(argument, 'path'), names: listed(field(argument, 'list')) };
  if (argument.type === 'use_list') return { module: '', names: listed(argument) };
  if (argument.type === 'use_wildcard') return { module: argument.firstNamedChild?.text ?? '', names: ['*'] };
  if (argument.type === 'use_as_clause') return aliased(argument);
  return { module: fieldText(argument, 'path'), names: [fieldText(argument, 'name') || argument.text] };
}

function aliased(clause: Node): Used {
  const segments = fieldText(clause, 'path').split('::');
  const last = segments.pop() ?? '';
  return { module: segments.join('::'), names: [`${last} as ${fieldText(clause, 'alias')}`] };
}

function listed(list: Node | null): string[] {
  const entries = list?.namedChildren.filter((child) => !child.type.endsWith('comment')) ?? [];
  return entries.flatMap((entry) => {
    const { module, names } = usedNames(entry);
    return names.map((name) => (module === '' ? name : `${module}::${name}`));
  });
}

/** Finds macro calls around items: `cfg_net! { pub struct … }`. They are hidden so that the items can be parsed. */
function macroCallsInTheWay(root: Node): Hiding[] {
  return itemsOf(root).flatMap((node) => {
    const call = node.type === 'macro_invocation' ? childOfType(node, 'token_tree') : null;
    if (call === null || !holdsItems(call)) return [];
    const { startIndex: from, endIndex: to } = node;
    return [{ from, to, blanks: [[from, call.startIndex + 1] as const, [to - 1, to] as const] }];
  });
}

/** Returns the items at the top level, in modules and in implementations. */
function itemsOf(parent: Node): Node[] {
  return parent.namedChildren.flatMap((node) => {
    const body = /^(mod_item|impl_item|trait_item)$/.test(node.type) ? field(node, 'body') : null;
    return body === null ? [node] : itemsOf(body);
  });
}

const ITEM_WORD = /^(?:pub|fn|struct|enum|union|trait|impl|mod|use|type|const|static|unsafe|async|extern)$/;

function holdsItems(call: Node): boolean {
  if (call.firstChild?.type !== '{') return false;
  const first = call.children.find((child) => child.type !== '{' && !child.type.endsWith('comment'));
  if (first === undefined) return false;
  return first.type === '#' || ITEM_WORD.test(first.text) || first.nextSibling?.type === '!';
}

export const rustCode: TreeCode = {
  read: (source) => readTop(source, readUses),
  hides: macroCallsInTheWay,
  docs: { opens: /^(\/\/\/|\/\*\*)/, attribute: 'attribute_item' },
  // `pub` and `pub(crate)` both make a declaration usable from other files.
  isExported: ({ node }) => childOfType(node, 'visibility_modifier') !== null,
  rules: {
    function_item: 'function',
    function_signature_item: 'function',
    struct_item: readStruct,
    union_item: readStruct,
    enum_item: (statement) =>
      declareHolder(statement, { kind: 'enum', showsBody: () => true, members: readVariants }),
    trait_item: (statement) =>
      // Members of a trait are as visible as the trait.
      declareHolder(statement, {
        kind: 'trait',
        members: (body, place) => exportAll(readMethods(body, place)),
      }),
    impl_item: readImpl,
    mod_item: (statement) => declareHolder(statement, { kind: 'namespace' }),
    foreign_mod_item: (statement) => {
      const body = field(statement.node, 'body');
      return body === null ? [] : readInside(body, statement);
    },
    const_item: (statement) => readValue(statement, 'constant'),
    static_item: (statement) => readValue(statement, 'variable'),
    type_item: 'type',
    associated_type: 'type',
    macro_definition: readMacro,
    use_declaration: readReExports,
  },
};

function readStruct(statement: Statement): Declaration {
  const isTuple = field(statement.node, 'body')?.type !== 'field_declaration_list';
  if (isTuple) return declare(statement, { kind: 'struct', body: null });
  return declareHolder(statement, { kind: 'struct', members: readFields });
}

function readFields(body: Node, place: Place): Declaration[] {
  return documented(body, place)
    .filter(({ node }) => node.type === 'field_declaration')
    .map((each) => declare(each, { kind: 'property' }));
}

function readVariants(body: Node, place: Place): Declaration[] {
  return documented(body, place)
    .filter(({ node }) => node.type === 'enum_variant')
    .map((variant) => declare(variant, { kind: 'case', body: null, exported: true }));
}

function readImpl(statement: Statement): Declaration {
  const { node } = statement;
  const trait = field(node, 'trait');
  const type = fieldText(node, 'type');
  const body = field(node, 'body');
  const members = body === null ? [] : readMethods(body, statement);
  return declare(statement, {
    kind: 'impl',
    name: trait === null ? type : `${trait.text} for ${type}`,
    exported: trait !== null || members.some((member) => member.exported),
    members: trait === null ? members : exportAll(members),
  });
}

function readMethods(body: Node, place: Place): Declaration[] {
  return readInside(body, place).map((member) =>
    member.kind === 'function' ? { ...member, kind: 'method' } : member,
  );
}

function exportAll(members: Declaration[]): Declaration[] {
  return members.map((member) => ({ ...member, exported: true }));
}

function readValue(statement: Statement, kind: 'constant' | 'variable'): Declaration {
  const { node } = statement;
  return declare(statement, { kind, end: valueEnd(field(node, 'value'), field(node, 'type'), node) });
}

/** Reads a macro. The patterns of its rules become its members. */
function readMacro(statement: Statement): Declaration {
  const { source, node, first } = statement;
  const attributes = source.text.slice(first.startIndex, node.startIndex);
  const members = childrenOfType(node, 'macro_rule').flatMap((rule) => {
    const left = field(rule, 'left');
    if (left === null) return [];
    const parts = { name: left.text, kind: 'case', end: left.endIndex, exported: true } as const;
    return [declare({ ...inPlaceOf(statement, rule), first: left }, parts)];
  });
  const macro = { kind: 'macro', body: childOfType(node, '{', '(', '['), members } as const;
  // Attributes before a macro call belong to the call, not to the macro that is declared in it.
  if (isExportedByCall(source.text, node.startIndex))
    return declare({ ...statement, first: node }, { ...macro, exported: true });
  return declare(statement, { ...macro, exported: attributes.includes('macro_export') });
}

/**
 * Whether a macro is declared inside a call of another macro, `doc! {macro_rules! …}`, that adds
 * `#[macro_export]`.
 */
function isExportedByCall(text: string, at: number): boolean {
  const call = /(?<!\w)(\w+)!\s*[{([]\s*$/.exec(text.slice(Math.max(0, at - MAX_CALL_HEAD), at))?.[1];
  if (call === undefined) return false;
  const definition = text.indexOf(`macro_rules! ${call} `);
  if (definition === -1) return false;
  const next = text.indexOf('macro_rules!', definition + 1);
  return text.slice(definition, next === -1 ? text.length : next).includes('#[macro_export]');
}

const MAX_CALL_HEAD = 200;

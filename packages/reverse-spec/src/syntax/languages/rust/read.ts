import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import {
  childOfType,
  childrenOfType,
  declare,
  declareHolder,
  documented,
  field,
  fieldText,
  inPlaceOf,
  type Place,
  readInside,
  readTop,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';
import { macroCallsInTheWay } from './hides.ts';
import { readReExports, readUses } from './uses.ts';

export const rustCode: TreeCode = {
  read: (source) => readTop(source, readUses),
  hides: macroCallsInTheWay,
  docs: { opens: /^(\/\/\/|\/\*\*)/, attribute: 'attribute_item' },
  // `pub`, and `pub(crate)` too: another file can use it.
  isExported: ({ node }) => childOfType(node, 'visibility_modifier') !== null,
  rules: {
    function_item: 'function',
    function_signature_item: 'function',
    struct_item: readStruct,
    union_item: readStruct,
    enum_item: (statement) =>
      declareHolder(statement, { kind: 'enum', showsBody: () => true, members: readVariants }),
    trait_item: (statement) =>
      // What a trait asks for is as visible as the trait.
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

/** A macro's signature is what its rules match. */
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
  // The attributes before a call are the call's.
  if (isExportedByCall(source.text, node.startIndex))
    return declare({ ...statement, first: node }, { ...macro, exported: true });
  return declare(statement, { ...macro, exported: attributes.includes('macro_export') });
}

/** `doc! {macro_rules! select {…}}`, where `doc!` puts `#[macro_export]` before what it is given. */
function isExportedByCall(text: string, at: number): boolean {
  const call = /(?<!\w)(\w+)!\s*[{([]\s*$/.exec(text.slice(Math.max(0, at - MAX_CALL_HEAD), at))?.[1];
  if (call === undefined) return false;
  const definition = text.indexOf(`macro_rules! ${call} `);
  if (definition === -1) return false;
  const next = text.indexOf('macro_rules!', definition + 1);
  return text.slice(definition, next === -1 ? text.length : next).includes('#[macro_export]');
}

const MAX_CALL_HEAD = 200;

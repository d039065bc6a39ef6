import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind } from '../../outline.ts';
import {
  childOfType,
  childrenOfType,
  type DocStyle,
  type Documented,
  declare,
  documented,
  field,
  fieldText,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import type { TreeCode } from '../language.ts';
import { macroCallsInTheWay } from './hides.ts';
import { readReExports, readUses } from './uses.ts';

const RUSTDOC: DocStyle = { opens: /^(\/\/\/|\/\*\*)/, attribute: 'attribute_item' };

export const rustCode: TreeCode = { read: readRust, hides: macroCallsInTheWay };

function readRust(source: TreeSource): TreeReading {
  const items = documented(source.root, RUSTDOC);
  return {
    imports: items.flatMap(({ node }) => readUses(node)),
    declarations: items.flatMap((item) => readItem(source, item)),
  };
}

type ItemReader = (source: TreeSource, item: Documented) => Declaration[];

const ITEMS: Readonly<Record<string, ItemReader>> = {
  function_item: readFunction,
  function_signature_item: readFunction,
  struct_item: readStruct,
  union_item: readStruct,
  enum_item: readEnum,
  trait_item: readTrait,
  impl_item: readImpl,
  mod_item: readModule,
  foreign_mod_item: (source, { node }) => readBody(source, node),
  const_item: (source, item) => readValue(source, item, 'constant'),
  static_item: (source, item) => readValue(source, item, 'variable'),
  type_item: readType,
  associated_type: readType,
  macro_definition: readMacro,
  use_declaration: readReExports,
};

function readItem(source: TreeSource, item: Documented): Declaration[] {
  return ITEMS[item.node.type]?.(source, item) ?? [];
}

function readBody(source: TreeSource, node: Node): Declaration[] {
  const body = field(node, 'body');
  return body === null ? [] : documented(body, RUSTDOC).flatMap((item) => readItem(source, item));
}

/** `pub`, and `pub(crate)` too: another file can use it. */
function isPublic(node: Node): boolean {
  return childOfType(node, 'visibility_modifier') !== undefined;
}

interface ItemParts {
  kind: DeclarationKind;
  name?: string;
  body?: Node | null;
  end?: number | undefined;
  exported?: boolean;
  members?: Declaration[];
}

function item(source: TreeSource, { node, first, doc }: Documented, parts: ItemParts): Declaration {
  const name = fieldText(node, 'name');
  return declare(source, { node, first, doc }, { name, exported: isPublic(node), ...parts });
}

function readFunction(source: TreeSource, documentedItem: Documented): Declaration[] {
  return [item(source, documentedItem, { kind: 'function', body: field(documentedItem.node, 'body') })];
}

function readStruct(source: TreeSource, documentedItem: Documented): Declaration[] {
  const body = field(documentedItem.node, 'body');
  const isTuple = body?.type !== 'field_declaration_list';
  if (isTuple) return [item(source, documentedItem, { kind: 'struct' })];
  return [item(source, documentedItem, { kind: 'struct', body, members: readFields(source, body) })];
}

function readFields(source: TreeSource, body: Node): Declaration[] {
  return documented(body, RUSTDOC)
    .filter(({ node }) => node.type === 'field_declaration')
    .map((each) => item(source, each, { kind: 'property' }));
}

function readEnum(source: TreeSource, documentedItem: Documented): Declaration[] {
  const { node } = documentedItem;
  const body = field(node, 'body');
  const variants = body === null ? [] : documented(body, RUSTDOC);
  const members = variants
    .filter((variant) => variant.node.type === 'enum_variant')
    .map((variant) => item(source, variant, { kind: 'case', exported: true }));
  return [item(source, documentedItem, { kind: 'enum', body, end: node.endIndex, members })];
}

function readTrait(source: TreeSource, documentedItem: Documented): Declaration[] {
  const { node } = documentedItem;
  const members = exportAll(asMethods(readBody(source, node)));
  return [item(source, documentedItem, { kind: 'trait', body: field(node, 'body'), members })];
}

function readImpl(source: TreeSource, documentedItem: Documented): Declaration[] {
  const { node } = documentedItem;
  const trait = field(node, 'trait');
  const type = fieldText(node, 'type');
  const members = asMethods(readBody(source, node));
  return [
    item(source, documentedItem, {
      kind: 'impl',
      name: trait === null ? type : `${trait.text} for ${type}`,
      body: field(node, 'body'),
      exported: trait !== null || members.some((member) => member.exported),
      members: trait === null ? members : exportAll(members),
    }),
  ];
}

function asMethods(members: Declaration[]): Declaration[] {
  return members.map((member) => (member.kind === 'function' ? { ...member, kind: 'method' } : member));
}

/** What a trait asks for is as visible as the trait. */
function exportAll(members: Declaration[]): Declaration[] {
  return members.map((member) => ({ ...member, exported: true }));
}

function readModule(source: TreeSource, documentedItem: Documented): Declaration[] {
  const { node } = documentedItem;
  return [
    item(source, documentedItem, {
      kind: 'namespace',
      body: field(node, 'body'),
      members: readBody(source, node),
    }),
  ];
}

function readValue(
  source: TreeSource,
  documentedItem: Documented,
  kind: 'constant' | 'variable',
): Declaration[] {
  const { node } = documentedItem;
  const end = valueEnd(field(node, 'value'), field(node, 'type'), node);
  return [item(source, documentedItem, { kind, end })];
}

function readType(source: TreeSource, documentedItem: Documented): Declaration[] {
  return [item(source, documentedItem, { kind: 'type' })];
}

/** A macro's signature is what its rules match. */
function readMacro(source: TreeSource, documentedItem: Documented): Declaration[] {
  const { node, first } = documentedItem;
  const opens = childOfType(node, '{', '(', '[');
  const attributes = source.text.slice(first.startIndex, node.startIndex);
  const members = childrenOfType(node, 'macro_rule').flatMap((rule) => {
    const left = field(rule, 'left');
    if (left === null) return [];
    return [
      declare(
        source,
        { node: rule, first: left },
        { name: left.text, kind: 'case', end: left.endIndex, exported: true },
      ),
    ];
  });
  const macro = { kind: 'macro', body: opens ?? null, members } as const;
  // The attributes before a call are the call's.
  if (isExportedByCall(source.text, node.startIndex))
    return [item(source, { ...documentedItem, first: node }, { ...macro, exported: true })];
  return [item(source, documentedItem, { ...macro, exported: attributes.includes('macro_export') })];
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

import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { blank, conditionalsInTheWay } from '../../tree/parsers.ts';
import {
  childOfType,
  declare,
  declareHolder,
  field,
  fieldText,
  inPlaceOf,
  type Place,
  readInside,
  readStatement,
  type Statement,
  statementsIn,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';
import { maskMacros } from '../c/mask.ts';
import {
  cRules,
  declaredName,
  dropForwards,
  hasLinkage,
  isInClass,
  isShared,
  isWrapper,
  readC,
  readDeclaration,
  readDeclarator,
} from '../c/read.ts';

/** Hides what the C++ grammar cannot parse: the macros that `maskMacros` hides, and syntax such as `{}` as a default. */
function maskCpp(text: string): string {
  return maskTemplateHeads(maskMacros(text))
    .replace(EMPTY_DEFAULT, (whole) => whole.replace('{}', '0 '))
    .replace(UNNAMED_ENUM_BASE, blank)
    .replace(CAST, (whole) => '_'.repeat(whole.length))
    .replace(MADE_VALUE, blank)
    .replace(TAKEN_TYPE, blank)
    .replace(TRAIT_VALUE, (whole) => '_'.repeat(whole.length))
    .replace(SHIELDED_NAME, ' $1 ');
}

/** An empty object as a default value: `locale loc = {})`. */
const EMPTY_DEFAULT = /=\s*\{\}(?=\s*[,)])/g;

/** Underlying type of an unnamed enum: `enum : unsigned {`. */
const UNNAMED_ENUM_BASE = /(?<=\benum)\s{0,40}:\s{0,40}[\w:]{1,200}(?:\s{1,40}\w{1,80}){0,6}(?=\s{0,40}\{)/g;

/** Conversions such as `unsigned(size)`: the grammar accepts these words only as types. */
const CAST = /\b(?:unsigned|signed|long|short)(?=\((?![*&)]))/g;

/** `typename` before a created value: `typename T::value_type()`. */
const MADE_VALUE = /\btypename(?=\s+[\w:]+\(\))/g;

/** `typename` after `using`: `using typename Base::pointer;`. */
const TAKEN_TYPE = /(?<=\busing[ \t]{1,9})typename\b/g;

/** Type traits as values: `is_same_v<A, B<C>>)`. The grammar takes their angle brackets for operators. */
const TRAIT_VALUE = /\b[a-z][a-z_]{1,60}_v<[^;{}()\n]{1,200}>(?=[ \t]{0,9}(?:\)|&&|\|\|))/g;

/** Parentheses that prevent the expansion of a macro: `result_type(min)()`. */
const SHIELDED_NAME = /\((min|max)\)(?=\s*\()/g;

const TEMPLATE = /\btemplate\s*</g;

function maskTemplateHeads(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { index, 0: opening } of text.matchAll(TEMPLATE)) {
    if (index < at) continue;
    const end = headEnd(text, index + opening.length);
    parts.push(text.slice(at, index), maskHead(text.slice(index, end)));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

const MAX_HEAD = 4_000;

/** Returns the offset after the `>` that closes a template head. A `>` inside parentheses is a comparison. */
function headEnd(text: string, from: number): number {
  let angles = 1;
  for (let at = from; at < Math.min(text.length, from + MAX_HEAD); at++) {
    const character = text[at] ?? '';
    if (character === '(') at = closing(text, at);
    angles += STEPS[character] ?? 0;
    if (angles === 0) return at + 1;
    if (character === ';' || character === '{') return from;
  }
  return from;
}

const STEPS: Readonly<Record<string, number>> = { '<': 1, '>': -1 };

/** Replaces macros such as `ENABLE_IF(!x)` in a template head by unnamed parameters. */
function maskHead(head: string): string {
  return maskCalls(head).replace(
    CONST_POINTER,
    (_, before: string, type: string) => before + type.replace(/const|\*/g, blank),
  );
}

/** A pointer as the default of a template parameter: `typename Ptr = const T*`. */
const CONST_POINTER = /(=\s*)(const\s+\w+\s*\*+)/g;

const CALL = /(?<=[<,]\s{0,40})[A-Z][A-Z0-9_]{3,80}(?=\s{0,40}\()/;

function maskCalls(head: string): string {
  const call = CALL.exec(head);
  if (call === null) return head;
  const close = closing(head, head.indexOf('(', call.index));
  const whole = head.slice(call.index, close + 1);
  const after = maskCalls(head.slice(close + 1));
  return `${head.slice(0, call.index)}class${blank(whole.slice('class'.length))}${after}`;
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length - 1;
}

export const cppCode: TreeCode = {
  read: readC,
  mask: maskCpp,
  hides: conditionalsInTheWay,
  docs: { follows: true },
  opens: isWrapper,
  isExported: isShared,
  rules: {
    ...cRules,
    namespace_definition: readNamespace,
    template_declaration: readTemplate,
    class_specifier: (statement) => readClass(statement, 'class'),
    struct_specifier: (statement) => readClass(statement, 'struct'),
    union_specifier: (statement) => readClass(statement, 'struct'),
    function_definition: readFunction,
    declaration: (statement) => (isInClass(statement) ? readField(statement) : readDeclaration(statement)),
    field_declaration: (statement) => (isInClass(statement) ? readField(statement) : []),
    friend_declaration: (statement) => (isInClass(statement) ? readFriend(statement) : []),
    alias_declaration: 'type',
    concept_definition: 'type',
    using_declaration: readUsing,
  },
};

/** Reads a namespace. Members of an unnamed namespace are visible only in their file. */
function readNamespace(statement: Statement): Declaration {
  const isOpen = statement.holder?.isOpen !== false && fieldText(statement.node, 'name') !== '';
  const members = (body: Node, place: Place) => dropForwards(readInside(body, place));
  return declareHolder(statement, { kind: 'namespace', exported: isOpen, isOpen, members });
}

/** Reads the declaration in a template. Its signature begins with the template head. */
function readTemplate(statement: Statement): Declaration[] {
  const { node } = statement;
  const inner = node.namedChildren.findLast(
    (child) => !/^(template_parameter_list|requires_clause)$/.test(child.type),
  );
  if (inner === undefined) return [];
  if (!isInClass(statement)) return readStatement({ ...statement, node: inner });
  return readStatement({ ...statement, node: inner, first: node }).map((each) =>
    each.kind === 'function' ? { ...each, kind: methodKind(statement, each.name) } : each,
  );
}

function readClass(statement: Statement, kind: 'class' | 'struct'): Declaration {
  return declareHolder(statement, { kind, isOpen: kind === 'struct', members: readSections });
}

function readSections(body: Node, place: Place): Declaration[] {
  let { holder } = place;
  return statementsIn(body, place).flatMap((statement) => {
    if (statement.node.type !== 'access_specifier')
      return readStatement({ ...statement, ...(holder && { holder }) });
    holder = holder && { ...holder, isOpen: !statement.node.text.startsWith('private') };
    return [];
  });
}

function methodKind({ holder }: Statement, name: string): DeclarationKind {
  return name === holder?.name.replace(/<.*/, '') ? 'constructor' : 'method';
}

function readFunction(statement: Statement): Declaration {
  const { node } = statement;
  const name = declaredName(node);
  const plainKind = name.includes('::') ? 'method' : 'function';
  return declare(statement, {
    name,
    kind: isInClass(statement) ? methodKind(statement, name) : plainKind,
    end: childOfType(node, 'field_initializer_list')?.startIndex,
    exported: hasLinkage(statement),
  });
}

/** Reads fields, method prototypes and nested types. In the tree, a nested type is a field without a name. */
function readField(statement: Statement): Declaration[] {
  const { node, doc } = statement;
  const declarators = node.childrenForFieldName('declarator');
  const type = field(node, 'type');
  if (declarators.length === 0 && type !== null) return readStatement({ ...inPlaceOf(statement, type), doc });
  return declarators.map((declarator) => {
    const { name, isFunction } = readDeclarator(declarator);
    return declare(statement, {
      name,
      kind: isFunction ? methodKind(statement, name) : 'property',
      end: valueEnd(field(node, 'default_value'), declarator, node),
      exported: hasLinkage(statement),
    });
  });
}

/** Reads a friend function, which belongs to the namespace around the class. Skips friend classes. */
function readFriend({ holder: _, ...statement }: Statement): Declaration[] {
  const inner = childOfType(statement.node, 'declaration', 'function_definition');
  return inner === null ? [] : readStatement({ ...statement, node: inner });
}

function readUsing(statement: Statement): Declaration {
  const written = statement.node.lastNamedChild?.text ?? '';
  const name = written.split('::').at(-1) ?? written;
  return { ...declare(statement, { name, kind: 're-export' }), from: written };
}

import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { conditionalsInTheWay } from '../../tree/conditionals.ts';
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
import { declaredName, readDeclarator } from '../c/declarators.ts';
import { cRules, readC, readDeclaration } from '../c/read.ts';
import { dropForwards, hasLinkage, isInClass, isShared, isWrapper } from '../c/scope.ts';
import { maskCpp } from './mask.ts';

export const cppCode: TreeCode = {
  read: readC,
  mask: maskCpp,
  hides: conditionalsInTheWay,
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

/** What an unnamed namespace holds stays in its file. */
function readNamespace(statement: Statement): Declaration {
  const isOpen = statement.holder?.isOpen !== false && fieldText(statement.node, 'name') !== '';
  const members = (body: Node, place: Place) => dropForwards(readInside(body, place));
  return declareHolder(statement, { kind: 'namespace', exported: isOpen, isOpen, members });
}

/** The template's own line belongs to the signature of what it opens. */
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

/** Fields and method prototypes; a nested type is a field without a name of its own. */
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

/** A friend function is part of what the class offers, though no member; a befriended class is not. */
function readFriend({ holder: _, ...statement }: Statement): Declaration[] {
  const inner = childOfType(statement.node, 'declaration', 'function_definition');
  return inner === null ? [] : readStatement({ ...statement, node: inner });
}

function readUsing(statement: Statement): Declaration {
  const written = statement.node.lastNamedChild?.text ?? '';
  const name = written.split('::').at(-1) ?? written;
  return { ...declare(statement, { name, kind: 're-export' }), from: written };
}

import type { Declaration } from '../../outline.ts';
import { conditionalsInTheWay } from '../../tree/conditionals.ts';
import { declareContainer } from '../../tree/container.ts';
import {
  childOfType,
  type Documented,
  declare,
  field,
  fieldText,
  type TreeReading,
  type TreeSource,
} from '../../tree/source.ts';
import { readDeclarator } from '../c/declarators.ts';
import { readCStatement, readDeclaration, readEnum, readInclude, readTypedef } from '../c/read.ts';
import { dropForwards, fileScope, hasLinkage, isShared, type Scope, statementsOf } from '../c/scope.ts';
import type { TreeCode } from '../language.ts';
import { maskCpp } from './mask.ts';
import { readMembers } from './members.ts';

export const cppCode: TreeCode = { read: readCpp, mask: maskCpp, hides: conditionalsInTheWay };

function readCpp(source: TreeSource): TreeReading {
  const statements = statementsOf(source.root);
  return {
    imports: statements.flatMap(({ node }) => readInclude(node)),
    declarations: readStatements(fileScope(source), statements),
  };
}

function readStatements(scope: Scope, statements: readonly Documented[]): Declaration[] {
  return dropForwards(statements.flatMap((statement) => readCppStatement(scope, statement)));
}

function readCppStatement(scope: Scope, statement: Documented): Declaration[] {
  switch (statement.node.type) {
    case 'namespace_definition':
      return [readNamespace(scope, statement)];
    case 'template_declaration':
      return readTemplate(scope, statement);
    case 'class_specifier':
    case 'struct_specifier':
    case 'union_specifier':
      return [readClass(scope, statement)];
    case 'function_definition':
      return [readFunction(scope, statement)];
    case 'alias_declaration':
    case 'concept_definition':
      return [readType(scope, statement)];
    case 'using_declaration':
      return [readUsing(scope, statement)];
    case 'enum_specifier':
      return [readEnum(scope, statement)];
    case 'type_definition':
      return readTypedef(scope, statement);
    case 'declaration':
      return readDeclaration(scope, statement);
    default:
      return readCStatement(scope, statement);
  }
}

/** What an unnamed namespace holds stays in its file. */
function readNamespace(scope: Scope, statement: Documented): Declaration {
  const isOpen = scope.isOpen && fieldText(statement.node, 'name') !== '';
  return declareContainer(scope.source, statement, {
    kind: 'namespace',
    exported: isOpen,
    members: (body) => readStatements({ ...scope, isOpen }, statementsOf(body)),
  });
}

/** The template's own line belongs to the signature of what it opens. */
function readTemplate(scope: Scope, { node, first, doc }: Documented): Declaration[] {
  const inner = node.namedChildren.findLast(
    (child) => !/^(template_parameter_list|requires_clause)$/.test(child.type),
  );
  if (inner === undefined) return [];
  return readCppStatement(scope, {
    node: inner,
    first: first.startIndex < node.startIndex ? first : node,
    doc,
  });
}

function readClass(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const isClass = node.type === 'class_specifier';
  const inside: Scope = { ...scope, owner: fieldText(node, 'name'), isOpen: !isClass };
  return declareContainer(scope.source, statement, {
    kind: isClass ? 'class' : 'struct',
    exported: isShared(scope),
    members: (body) => readMembers(inside, body, readCppStatement),
  });
}

function readFunction(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const declarator = field(node, 'declarator');
  const name = declarator === null ? '' : readDeclarator(declarator).name;
  const isMember = name.includes('::');
  return declare(scope.source, statement, {
    name,
    kind: isMember ? 'method' : 'function',
    end: childOfType(node, 'field_initializer_list')?.startIndex,
    body: field(node, 'body'),
    exported: hasLinkage(scope, node),
  });
}

function readType(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const name = fieldText(node, 'name');
  return declare(scope.source, statement, { name, kind: 'type', exported: isShared(scope) });
}

function readUsing(scope: Scope, statement: Documented): Declaration {
  const { node } = statement;
  const written = node.lastNamedChild?.text ?? '';
  const name = written.split('::').at(-1) ?? written;
  return {
    ...declare(scope.source, statement, { name, kind: 're-export', exported: isShared(scope) }),
    from: written,
  };
}

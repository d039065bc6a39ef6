import type { Node } from 'web-tree-sitter';
import type { Declaration } from '../../outline.ts';
import { childOfType, type Documented, declare, field, valueEnd } from '../../tree/source.ts';
import { readDeclarator } from '../c/declarators.ts';
import { type Scope, statementsOf } from '../c/scope.ts';

type StatementReader = (scope: Scope, statement: Documented) => Declaration[];

/** A class body, section by section. `readOther` reads what may also stand outside a class. */
export function readMembers(scope: Scope, body: Node, readOther: StatementReader): Declaration[] {
  const members: Declaration[] = [];
  let section = scope;
  for (const statement of statementsOf(body)) {
    if (statement.node.type === 'access_specifier') {
      section = { ...section, isOpen: !statement.node.text.startsWith('private') };
      continue;
    }
    members.push(...readMember(section, statement, readOther));
  }
  return members;
}

function readMember(scope: Scope, statement: Documented, readOther: StatementReader): Declaration[] {
  const { node } = statement;
  if (node.type === 'field_declaration' || node.type === 'declaration')
    return readField(scope, statement, readOther);
  if (node.type === 'friend_declaration') return readFriend(scope, statement, readOther);
  if (node.type === 'template_declaration')
    return asMembers(scope, readTemplate(scope, statement, readOther));
  if (node.type !== 'function_definition') return readOther(scope, statement);
  const declarator = field(node, 'declarator');
  const name = declarator === null ? '' : readDeclarator(declarator).name;
  return [
    declare(scope.source, statement, {
      name,
      kind: methodKind(scope, name),
      end: childOfType(node, 'field_initializer_list')?.startIndex,
      body: field(node, 'body'),
      exported: scope.isOpen,
    }),
  ];
}

/** A friend function is part of what the class offers, though no member; a befriended class is not. */
function readFriend(
  scope: Scope,
  { node, first, doc }: Documented,
  readOther: StatementReader,
): Declaration[] {
  const inner = childOfType(node, 'declaration', 'function_definition');
  return inner === undefined ? [] : readOther({ ...scope, isOpen: true }, { node: inner, first, doc });
}

function readTemplate(scope: Scope, { node, doc }: Documented, readOther: StatementReader): Declaration[] {
  const inner = node.namedChildren.findLast(
    (child) => !/^(template_parameter_list|requires_clause)$/.test(child.type),
  );
  return inner === undefined ? [] : readMember(scope, { node: inner, first: node, doc }, readOther);
}

function asMembers(scope: Scope, declarations: Declaration[]): Declaration[] {
  return declarations.map((each) =>
    each.kind === 'function' ? { ...each, kind: methodKind(scope, each.name) } : each,
  );
}

function methodKind(scope: Scope, name: string): Declaration['kind'] {
  return name === scope.owner?.replace(/<.*/, '') ? 'constructor' : 'method';
}

/** Fields and method prototypes; a nested type is a field without a name of its own. */
function readField(scope: Scope, statement: Documented, readOther: StatementReader): Declaration[] {
  const { node, doc } = statement;
  const declarators = node.childrenForFieldName('declarator');
  const type = field(node, 'type');
  if (declarators.length === 0 && type !== null) return readOther(scope, { node: type, first: type, doc });
  return declarators.map((declarator) => {
    const { name, isFunction } = readDeclarator(declarator);
    return declare(scope.source, statement, {
      name,
      kind: isFunction ? methodKind(scope, name) : 'property',
      end: valueEnd(field(node, 'default_value'), declarator, node),
      exported: scope.isOpen,
    });
  });
}

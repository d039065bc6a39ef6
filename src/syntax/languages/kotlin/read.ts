import type { Node } from 'web-tree-sitter';
import type { Declaration, DeclarationKind, ImportStatement, ParseProblem } from '../../outline.ts';
import { type MemberScope, readTop } from '../../tree/scope.ts';
import {
  childOfType,
  childrenOfType,
  type DocStyle,
  type Documented,
  declare,
  documented,
  fieldText,
  importOf,
  type TreeReading,
  type TreeSource,
  valueEnd,
} from '../../tree/source.ts';
import type { TreeCode } from '../language.ts';
import { kotlinInTheWay } from './hides.ts';
import { maskActual } from './mask.ts';

const KDOC: DocStyle = { opens: /^\/\*\*/ };

export const kotlinCode: TreeCode = { read: readKotlin, mask: maskActual, hides: kotlinInTheWay };

function readKotlin(source: TreeSource): TreeReading {
  return {
    imports: source.root.namedChildren.flatMap(readImport),
    declarations: readTop(source, KDOC, readStatement),
    unread: source.path?.endsWith('.kts') ? [] : source.root.namedChildren.flatMap(misread),
  };
}

/** A file of declarations holds no expressions: what the grammar took for one was a declaration. */
function misread(node: Node): ParseProblem[] {
  if (!/(?:expression|literal|^identifier|^assignment)$/.test(node.type)) return [];
  const [text = ''] = node.text.split('\n', 1);
  return [{ line: node.startPosition.row + 1, message: `not read: \`${text.slice(0, 40).trim()}\`` }];
}

function readStatement(scope: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  switch (node.type) {
    case 'class_declaration':
      return [readClass(scope, statement, classKind(node))];
    case 'object_declaration':
    case 'companion_object':
      return [readClass(scope, statement, 'class')];
    case 'function_declaration':
      return [readCallable(scope, statement, scope.isMember ? 'method' : 'function')];
    case 'secondary_constructor':
      return [readCallable(scope, statement, 'constructor')];
    case 'property_declaration':
      return readProperty(scope, statement);
    case 'type_alias':
      return [
        declare(scope.source, statement, {
          kind: 'type',
          name: fieldText(node, 'type'),
          exported: isExported(node),
        }),
      ];
    case 'enum_entry':
      return [readEntry(scope, statement)];
    case 'package_header': {
      const name = node.firstNamedChild?.text ?? '';
      return [declare(scope.source, statement, { kind: 'namespace', name, exported: false })];
    }
    default:
      return [];
  }
}

function modifiersOf(node: Node): string[] {
  const modifiers = childOfType(node, 'modifiers');
  return modifiers === undefined ? [] : modifiers.namedChildren.map((modifier) => modifier.text);
}

/** Kotlin shows everything but what is private; `internal` is seen by the other files of its module. */
function isExported(node: Node): boolean {
  return !modifiersOf(node).includes('private');
}

function classKind(node: Node): DeclarationKind {
  if (childOfType(node, 'interface') !== undefined) return 'interface';
  return modifiersOf(node).includes('enum') ? 'enum' : 'class';
}

function readClass({ source }: MemberScope, statement: Documented, kind: DeclarationKind): Declaration {
  const { node } = statement;
  const body = childOfType(node, 'class_body', 'enum_class_body');
  const members = body === undefined ? [] : documented(body, KDOC);
  const isPlainEnum = kind === 'enum' && members.every((member) => isPlainEntry(member.node));
  return declare(source, statement, {
    name: fieldText(node, 'name') || 'Companion',
    kind,
    end: isPlainEnum ? node.endIndex : undefined,
    body,
    exported: isExported(node),
    members: [
      ...constructorProperties(source, node),
      ...members.flatMap((member) => readStatement({ source, isMember: true }, member)),
    ],
  });
}

function isPlainEntry(node: Node): boolean {
  return node.type === 'enum_entry' && childOfType(node, 'class_body') === undefined;
}

/** `class A(val b: C)` declares the property `b`. */
function constructorProperties(source: TreeSource, node: Node): Declaration[] {
  const primary = childOfType(node, 'primary_constructor');
  const list = primary === undefined ? undefined : childOfType(primary, 'class_parameters');
  const parameters = list === undefined ? [] : documented(list, KDOC);
  return parameters
    .filter((parameter) => childOfType(parameter.node, 'val', 'var') !== undefined)
    .map((parameter) => {
      const name = childOfType(parameter.node, 'identifier')?.text ?? '';
      const scope = { source, isMember: true };
      return declare(scope.source, parameter, {
        kind: 'property',
        name,
        exported: isExported(parameter.node),
      });
    });
}

function readCallable({ source }: MemberScope, statement: Documented, kind: DeclarationKind): Declaration {
  const { node } = statement;
  return declare(source, statement, {
    name: kind === 'constructor' ? 'constructor' : fieldText(node, 'name'),
    kind,
    end: childOfType(node, 'constructor_delegation_call')?.previousSibling?.startIndex,
    body: childOfType(node, 'function_body', 'block'),
    exported: isExported(node),
  });
}

function readProperty({ source, isMember }: MemberScope, statement: Documented): Declaration[] {
  const { node } = statement;
  const variables = node.descendantsOfType('variable_declaration').filter((each) => isOwn(node, each));
  const code = childOfType(node, 'getter', 'setter', 'property_delegate');
  const before = childOfType(node, 'variable_declaration', 'multi_variable_declaration') ?? null;
  const plainKind = childOfType(node, 'val') === undefined ? 'variable' : 'constant';
  return variables.map((variable) =>
    declare(source, statement, {
      name: childOfType(variable, 'identifier')?.text ?? '',
      kind: isMember ? 'property' : plainKind,
      end: propertyEnd(node, before, code),
      exported: isExported(node),
    }),
  );
}

/** Variables of the declaration itself, not those inside its initial value. */
function isOwn(node: Node, variable: Node): boolean {
  const parent = variable.parent;
  return (
    parent?.id === node.id || (parent?.type === 'multi_variable_declaration' && parent.parent?.id === node.id)
  );
}

function propertyEnd(node: Node, before: Node | null, code: Node | undefined): number {
  const equals = childOfType(node, '=');
  const value = equals?.nextNamedSibling ?? null;
  const end = valueEnd(value, before, value ?? node);
  return code === undefined ? end : Math.min(code.startIndex, value === null ? code.startIndex : end);
}

function readEntry({ source }: MemberScope, statement: Documented): Declaration {
  const { node } = statement;
  const name = childOfType(node, 'identifier')?.text ?? '';
  return declare(source, statement, {
    name,
    kind: 'case',
    body: childOfType(node, 'class_body'),
    exported: true,
  });
}

function readImport(node: Node): ImportStatement[] {
  if (node.type !== 'import') return [];
  const path = childOfType(node, 'qualified_identifier', 'identifier')?.text ?? '';
  if (childOfType(node, '*') !== undefined) return [importOf(node, path, ['*'])];
  const aliases = childrenOfType(node, 'identifier');
  const alias = childOfType(node, 'as') === undefined ? '' : ` as ${aliases.at(-1)?.text ?? ''}`;
  const cut = path.lastIndexOf('.');
  return [importOf(node, path.slice(0, Math.max(cut, 0)), [path.slice(cut + 1) + alias])];
}

import type { Node, TreeCursor } from 'web-tree-sitter';
import { embeddedType, FIELD_KINDS, fieldsOf, mixedIn } from './members.ts';
import type { Place, Recorder } from './recorder.ts';
import { declaredBy, mayDeclare } from './typings.ts';

export function noteVariables(to: Recorder, cursor: TreeCursor, place: Place): void {
  const type = cursor.nodeType;
  if (noteMember(to, cursor, place)) return;
  if (!mayDeclare(type)) return;
  for (const variable of declaredBy(cursor.currentNode)) {
    if (place.function === undefined && place.type !== undefined) to.symbols.addField(place.type, variable);
    else to.symbols.addVariable(place.function, variable);
  }
}

/** Fields, embedded types and mixins of the type around; says whether the node was one of them. */
function noteMember(to: Recorder, cursor: TreeCursor, place: Place): boolean {
  const type = cursor.nodeType;
  const owner = place.type;
  if (owner === undefined) return false;
  if (place.function === undefined && (type === 'use_declaration' || type === 'call')) {
    to.symbols.addType(owner, mixedIn(cursor.currentNode));
    return false;
  }
  return isMember(type, cursor, place) && noteField(to, owner, cursor.currentNode);
}

function isMember(type: string, cursor: TreeCursor, place: Place): boolean {
  if (!FIELD_KINDS.has(type) && type !== 'type_elem') return false;
  // TypeScript: a parameter with `private` is a field.
  if (type === 'required_parameter')
    return cursor.currentNode.firstNamedChild?.type === 'accessibility_modifier';
  return place.function === undefined || type.endsWith('parameter');
}

function noteField(to: Recorder, owner: string, node: Node): boolean {
  const embedded = embeddedType(node);
  if (embedded !== undefined) to.symbols.addType(owner, [embedded]);
  const fields = fieldsOf(node);
  for (const field of fields) to.symbols.addField(owner, field);
  return fields.length > 0;
}

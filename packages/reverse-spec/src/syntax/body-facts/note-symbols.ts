import { embeddedType, FIELD_KINDS, fieldsOf, mixedIn } from './members.ts';
import type { Node } from './node.ts';
import type { Place, Recorder, Spot } from './recorder.ts';
import { declaredBy } from './typings.ts';

export function noteVariables(spot: Spot): void {
  const { to, node, place } = spot;
  if (noteMember(spot)) return;
  for (const variable of declaredBy(node)) {
    if (place.function === undefined && place.type !== undefined) to.symbols.addField(place.type, variable);
    else to.symbols.addVariable(place.function, variable);
  }
}

/** Whether nodes of this kind may be members of the type around them. */
export function mayBeMember(type: string): boolean {
  return FIELD_KINDS.has(type) || type === 'type_elem' || MIXINS.has(type);
}

const MIXINS: ReadonlySet<string> = new Set(['use_declaration', 'call']);

/** Fields, embedded types and mixins of the type around; says whether the node was one of them. */
function noteMember({ to, node, place }: Spot): boolean {
  const { type } = node;
  const owner = place.type;
  if (owner === undefined) return false;
  if (place.function === undefined && MIXINS.has(type)) {
    to.symbols.addType(owner, mixedIn(node));
    return false;
  }
  return isMember(node, place) && noteField(to, owner, node);
}

function isMember(node: Node, place: Place): boolean {
  const { type } = node;
  if (!FIELD_KINDS.has(type) && type !== 'type_elem') return false;
  // TypeScript: a parameter with `private` is a field.
  if (type === 'required_parameter') return node.firstNamedChild?.type === 'accessibility_modifier';
  return place.function === undefined || type.endsWith('parameter');
}

function noteField(to: Recorder, owner: string, node: Node): boolean {
  const embedded = embeddedType(node);
  if (embedded !== undefined) to.symbols.addType(owner, [embedded]);
  const fields = fieldsOf(node);
  for (const field of fields) to.symbols.addField(owner, field);
  return fields.length > 0;
}

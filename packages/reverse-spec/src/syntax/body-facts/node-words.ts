import type { Node } from './node.ts';
import { ownerKinds } from './node-kinds.ts';
import { ownerOf } from './scopes.ts';

/** Small questions about single nodes and their texts. */

export function mentions(parameters: ReadonlySet<string>, text: string): boolean {
  return (text.match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? []).some((word) => parameters.has(word));
}

/** The name a declaration gives, whatever its kind; `undefined` for a statement or an import. */
export function declaredName(node: Node): string | undefined {
  const inner =
    node.childForFieldName('declaration') ??
    node.childForFieldName('definition') ??
    (node.type === 'modifiers' ? node.parent : node);
  if (inner === null) return undefined;
  const owner = ownerKinds.has(inner.type) ? ownerOf(inner)?.name : undefined;
  if (owner !== undefined) return owner;
  if (
    !/declaration|definition|_item$|_spec$|signature|declarator|element|enum_|property|field|const|type_alias|assignment/.test(
      inner.type,
    )
  )
    return undefined;
  const name =
    inner.childForFieldName('name') ??
    inner.childForFieldName('declarator') ??
    inner.childForFieldName('left');
  if (name !== null) return /[\w$]+/.exec(name.text.replace(/^\$/, ''))?.[0];
  const child = inner.namedChildren.find((each) =>
    /declarator$|_spec$|_element$|variable_declaration/.test(each?.type ?? ''),
  );
  return child == null ? undefined : declaredName(child);
}

/** The name of a field in a literal of Go. */
export function isKey(node: Node): boolean {
  const element = node.parent;
  return element?.parent?.type === 'keyed_element' && element.previousNamedSibling === null;
}

const MAX_CLIMB = 6;

/** `mx.handler = chain(mx.routeHTTP)`: the field that will hold the function, directly or wrapped. */
export function fieldAssigned(node: Node): string | undefined {
  let at: Node | null = node;
  for (let climbed = 0; climbed < MAX_CLIMB && at !== null; climbed += 1) {
    if (/^assignment/.test(at.type))
      return /^(?:\w+|\$this)(?:\.|->)(\w+)$/.exec(at.childForFieldName('left')?.text.trim() ?? '')?.[1];
    if (/block|statement$|body/.test(at.type) && at.type !== 'expression_statement') return undefined;
    at = at.parent;
  }
  return undefined;
}

/** The line of the mark inside its comment. */
export function markLine(
  comment: string,
  { startLine }: { startLine: number },
): { startLine: number; endLine: number } {
  const line = startLine + comment.slice(0, comment.search(/deprecated/i)).split('\n').length - 1;
  return { startLine: line, endLine: line };
}

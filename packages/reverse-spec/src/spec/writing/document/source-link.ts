import type { SpecFacts } from '../../reading/facts.ts';
import { inlineCode } from './markdown.ts';

export interface SourceRange {
  startLine: number;
  endLine: number;
}

export interface SourcePlace extends SourceRange {
  path: string;
}

type Linking = Pick<SpecFacts, 'links'>;

/** `[src/queue.ts#L3-L9](<../src/queue.ts#L3-L9>)`, as forges and editors understand it. */
export function linkTo(facts: Linking, place: SourcePlace): string {
  return linked(`${shortName(place.path)}#${linesOf(place)}`, href(facts, place));
}

/** `[L3-L9](<…>)`: where the file has been named already. */
export function linesLink(facts: Linking, place: SourcePlace): string {
  return linked(linesOf(place), href(facts, place));
}

/** The name itself is the link; where none can be made, the place follows it. */
export function linkedName(facts: Linking, name: string, place: SourcePlace): string {
  const target = href(facts, place);
  if (target === undefined) return `${inlineCode(name)} (${linkTo(facts, place)})`;
  return `[${inlineCode(name)}](<${target}>)`;
}

function linesOf({ startLine, endLine }: SourceRange): string {
  return startLine === endLine ? `L${startLine}` : `L${startLine}-L${endLine}`;
}

/** The last two parts tell files apart well enough; the link has the whole path. */
function shortName(path: string): string {
  return path.split('/').slice(-2).join('/');
}

function href({ links: { toProject } }: Linking, place: SourcePlace): string | undefined {
  if (toProject === undefined) return undefined;
  const path = encodeURI(`${toProject}/${place.path}`).replace(/[<>#]/g, encodeURIComponent);
  return `${path}#${linesOf(place)}`;
}

function linked(text: string, target: string | undefined): string {
  return target === undefined ? text : `[${text.replace(/[[\]]/g, '\\$&')}](<${target}>)`;
}

import type { SpecFacts } from '../../reading/facts.ts';

export interface SourceRange {
  startLine: number;
  endLine: number;
}

/** `[src/queue.ts#L3-L9](<../src/queue.ts#L3-L9>)`, as forges and editors understand it. */
export function linkTo(
  { links }: Pick<SpecFacts, 'links'>,
  path: string,
  { startLine, endLine }: SourceRange,
): string {
  const lines = startLine === endLine ? `#L${startLine}` : `#L${startLine}-L${endLine}`;
  return linked(`${shortName(path)}${lines}`, href(links.toProject, path, lines));
}

/** The last two parts tell files apart well enough; the link has the whole path. */
function shortName(path: string): string {
  return path.split('/').slice(-2).join('/');
}

function href(toProject: string | undefined, path: string, lines: string): string | undefined {
  return toProject === undefined
    ? undefined
    : encodeURI(`${toProject}/${path}`).replace(/[<>#]/g, encodeURIComponent) + lines;
}

function linked(text: string, target: string | undefined): string {
  return target === undefined ? text : `[${text.replace(/[[\]]/g, '\\$&')}](<${target}>)`;
}

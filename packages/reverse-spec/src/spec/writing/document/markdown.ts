import { posix } from 'node:path';
import type { SpecFacts } from '../../reading/facts.ts';

/** Joins the parts that are not empty, with a blank line between them. */
export function blocks(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns a code block. Its fence is longer than any run of backticks in the code. */
export function fenced(language: string, code: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code.replace(/<!--(?=\s{0,200}keep)/g, '<! --')}\n${fence}`;
}

/** Returns inline code on one line. The code may contain backticks. */
export function inlineCode(text: string): string {
  const flat = flatText(text);
  if (!flat.includes('`')) return `\`${flat}\``;
  const longest = Math.max(...(flat.match(/`+/g) ?? []).map((run) => run.length));
  const tick = '`'.repeat(longest + 1);
  return `${tick} ${flat} ${tick}`;
}

/** Returns a text on one line. Checks first whether a change is needed, because mostly none is. */
function flatText(text: string): string {
  return (/[^\S ]| {2}/.test(text) ? text.replace(/\s+/g, ' ') : text).trim();
}

/** Returns the text of a table cell. Bars are escaped and line breaks become spaces, because both would end the cell. */
function cell(text: string): string {
  const flat = text.includes('\n') ? text.replace(/(?<!\s)\s*\n\s*/g, ' ') : text;
  return flat.replaceAll('|', '\\|').trim();
}

export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Quotes text by other authors. No line of it can then become a heading of the document. */
export function blockQuote(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `> ${escapeComments(line)}`.trimEnd())
    .join('\n');
}

/** Escapes `<!--`, which would hide the rest of the document from a reader. */
export function escapeComments(text: string): string {
  return text.replace(/<!--/g, '&lt;!--');
}

/** Makes Markdown safe to insert into a section: lowers its headings, closes its fences and escapes HTML. */
export function sanitizeMarkdown(prose: string): string {
  let fence: string | undefined;
  const lines = prose
    .trim()
    .split(/\r\n?|[\n\u2028\u2029]/)
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence)) fence = undefined;
        return line;
      }
      fence = mark;
      return mark === undefined ? lowered(escapeComments(line).replace(HTML_START, '$1&lt;')) : line;
    });
  if (fence !== undefined) lines.push(fence);
  return lines.join('\n');
}

/** Matches HTML at the start of a line. An unclosed block (`<details>`) would swallow the sections below it. */
const HTML_START = /^([\s>*+-]*(?:\d{1,9}[.)]\s{1,40})?)<(?=[A-Za-z/!?])/;

function lowered(line: string): string {
  if (/^ {0,3}(?:=+|-+)\s*$/.test(line)) return '';
  return line.replace(/^ {0,3}(#{1,6})(?=\s)/, (_all, marks: string) =>
    '#'.repeat(Math.min(6, marks.length + 2)),
  );
}

/** Returns a comment on one line. Links of Javadoc, Markdown and reStructuredText are replaced by their text, and HTML tags are removed. */
export function readable(text: string): string {
  if (!/[{[`:<]/.test(text)) return flatText(text);
  const plain = text
    .replace(/\{@(?:link|linkplain|code|literal|see|inheritDoc)\s*([^{}]{0,300})\}/g, (_all, held: string) =>
      heldText(held),
    )
    .replace(/\[([^[\]]{1,200})\]\[[^[\]]{0,100}\]/g, '$1')
    .replace(/(?<![\w\])])\[(`?[A-Za-z_][\w.]{0,80}`?)\](?![[(:])/g, '$1')
    .replace(/`([^`<>]{1,200}?)\s{0,9}<[^`<>\s]{1,300}>`__?/g, '$1')
    .replace(/(?<![\w:]):(?:\w{1,20}:){1,2}(?=`)/g, '')
    .replace(/(?<!`)``([^`]{1,200})``(?!`)/g, '`$1`')
    .replace(/<\/?(?:p|br|i|b|em|strong|code|ul|li|pre|tt)\s?\/?>/gi, ' ');
  return flatText(plain);
}

/** Returns the text of a Javadoc link: `text` for `Foo#bar text`, the name for `Foo#bar`. */
function heldText(held: string): string {
  const [name = '', ...words] = held.trim().split(/\s+/);
  return words.length > 0 && !/^[(,<=]/.test(words[0] ?? '')
    ? words.join(' ')
    : `\`${[name, ...words].join(' ').replace(/^#/, '').replaceAll('#', '.')}\``;
}

export interface SourcePlace {
  path: string;
  startLine: number;
  endLine: number;
}

type Linking = Pick<SpecFacts, 'links'>;

/** Returns a link that GitHub and editors understand: `[src/queue.ts#L3-L9](<../src/queue.ts#L3-L9>)`. */
export function linkTo(facts: Linking, place: SourcePlace): string {
  return linked(`${place.path.split('/').slice(-2).join('/')}#${linesOf(place)}`, href(facts, place));
}

/** Returns a link without the file name, `[L3-L9](<…>)`, for use after the file has been named. */
export function linesLink(facts: Linking, place: SourcePlace): string {
  return linked(linesOf(place), href(facts, place));
}

/** Returns a name that links to its place. Without a link, the place follows the name in parentheses. */
export function linkedName(facts: Linking, name: string, place: SourcePlace): string {
  const target = href(facts, place);
  if (target === undefined) return `${inlineCode(name)} (${linkTo(facts, place)})`;
  return `[${inlineCode(name)}](<${target}>)`;
}

/** Returns `L3-L9`, or `L3` for one line. */
export function linesOf({ startLine, endLine }: Omit<SourcePlace, 'path'>): string {
  return startLine === endLine ? `L${startLine}` : `L${startLine}-L${endLine}`;
}

function href({ links: { toProject } }: Linking, place: SourcePlace): string | undefined {
  if (toProject === undefined) return undefined;
  const path = encodeURI(`${toProject}/${place.path}`).replace(/[<>#]/g, encodeURIComponent);
  return `${path}#${linesOf(place)}`;
}

function linked(text: string, target: string | undefined): string {
  return target === undefined ? text : `[${text.replace(/[[\]]/g, '\\$&')}](<${target}>)`;
}

/** Returns the deepest folder that contains all paths; `.` if they share none. */
export function enclosingFolder(paths: readonly string[]): string {
  const [first = '.', ...others] = paths.map((path) => posix.dirname(path));
  let around = first;
  while (around !== '.' && others.some((folder) => folder !== around && !folder.startsWith(`${around}/`)))
    around = posix.dirname(around);
  return around;
}

/** Returns a path relative to a folder; unchanged if it is not inside the folder. */
export function below(folder: string, path: string): string {
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path;
}

/** Removes the common indentation of the indented lines. Lines without indentation begin a declaration or an overload. */
export function outdented(code: string): string {
  const lines = code.split('\n');
  const depths = lines.map((line) => line.length - line.trimStart().length).filter((depth) => depth > 0);
  const depth = lines.some((line) => /^[)\]}]/.test(line)) ? 0 : Math.min(...depths);
  return lines.map((line) => (/^\s/.test(line) ? line.slice(depth) : line)).join('\n');
}

/** Removes the body of an enum, and that of a `typedef struct` of C, because their members are listed below. */
export function withoutBody(signature: string, kind: string): string {
  const [head = '', ...body] = signature.split('{');
  if (kind === 'enum' || !/^typedef\b/.test(head) || body.length === 0)
    return kind === 'enum' ? head.trimEnd() : signature;
  return `${head.trimEnd()} { … }${signature.slice(signature.lastIndexOf('}') + 1)}`;
}

/** Removes comments between the attributes of a Rust declaration. */
export function withoutComments(signature: string, fence: string): string {
  if (fence !== 'rust') return signature;
  const lines = signature.split('\n').filter((line) => !line.trimStart().startsWith('///'));
  return lines.join('\n');
}

/** Returns a comment with lists and references of Javadoc as Markdown. Its lines stay. */
export function withoutHtml(comment: string): string {
  if (!/\{@\w|<\/?(?:p|ul|ol|li)>/.test(comment)) return comment;
  return comment
    .replace(/\{@\w{1,20}\s([^{}]{1,300})\}/g, (_all, held: string) => heldText(held))
    .replace(/<li>[ \t]{0,9}/g, '- ')
    .replace(/<\/?(?:p|ul|ol|li)>/g, '')
    .replace(/\n[ \t]{1,40}(?=\n|$)/g, '\n');
}

import { documentLanguages, wordsOf } from '../../words.ts';

/** A document as it is on disk, cut at its sections; every line of it is in exactly one place. */
export interface DocumentText {
  /** Between the front matter and the first section. */
  preamble: string;
  sections: SectionText[];
}

export interface SectionText {
  /** Undefined for a section that a user added. */
  id: SectionId | HeadingId | undefined;
  /** The whole line. */
  heading: string;
  body: string;
}

export type LineKind = 'text' | 'code' | 'keep';

const FRONT_MATTER = /^\uFEFF?---\r?\n[\s\S]*?\r?\n---[^\S\n]*(?:\r?\n|$)/;
const BASELINE =
  /^<!-- reverse-spec:baseline format=\d+ sha256=[0-9a-f]{64}\r?\n[\w+/=\r\n]*-->[^\S\n]*\n?/gm;

export function readDocumentText(document: string): DocumentText {
  const text = document.replace(FRONT_MATTER, '').replace(BASELINE, '');
  const lines = text.split('\n');
  const kinds = classifyLines(lines);
  const starts = lines.flatMap((line, at) => (kinds[at] === 'text' && /^## \S/.test(line) ? [at] : []));
  const seen = new Set<string>();
  const sections = starts.map((start, at) => {
    const heading = lines[start] ?? '';
    const id = ownId(heading, seen);
    return { id, heading, body: trimLines(lines.slice(start + 1, starts[at + 1] ?? lines.length)) };
  });
  return { preamble: trimLines(lines.slice(0, starts[0] ?? lines.length)), sections };
}

/** A second section with the same title is the user's own. */
function ownId(heading: string, seen: Set<string>): SectionText['id'] {
  const id = idOfTitle(heading.replace(/^#+\s+/, '').replace(/(?<!\s)\s*<!--.*/, ''));
  if (id === undefined || seen.has(id)) return undefined;
  seen.add(id);
  return id;
}

/** The section or heading a title names, in whatever language it was written. */
export function idOfTitle(title: string): SectionId | HeadingId | undefined {
  const plain = title.trim();
  for (const language of documentLanguages) {
    const { sections, headings } = wordsOf[language];
    const id =
      [...sectionIds, ...indexSectionIds].find((each) => sections[each] === plain) ??
      headingIds.find((each) => headings[each] === plain);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** At either end of its line: what a hand or a tool has put beside it is kept with it. */
const KEEP = /^\s*<!--\s*keep\s*-->|<!--\s*keep\s*-->\s*$/;
const KEEP_END = /<!--\s*\/keep\s*-->/;

/** Keep marks count wherever they stand: the tool never writes one, in code neither. */
export function classifyLines(lines: readonly string[]): LineKind[] {
  const kinds: LineKind[] = [];
  let codeEnd = 0;
  while (kinds.length < lines.length) {
    const at = kinds.length;
    const line = lines[at] ?? '';
    if (KEEP.test(line)) {
      const end = keepEnd(lines, at);
      while (kinds.length < end) kinds.push('keep');
      continue;
    }
    if (at >= codeEnd) codeEnd = codeEndFrom(lines, at);
    kinds.push(at < codeEnd ? 'code' : 'text');
  }
  return kinds;
}

/** Returns the line after the code block at `at`; `at` without a closed block. */
function codeEndFrom(lines: readonly string[], at: number): number {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(lines[at] ?? '')?.[1];
  if (fence === undefined) return at;
  for (let next = at + 1; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    if (KEEP.test(line)) next = keepEnd(lines, next) - 1;
    else if (closes(line, fence)) return next + 1;
  }
  return at;
}

function closes(line: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
  return mark?.startsWith(fence) === true;
}

/** Behind the end mark; kept text without one ends where the next of our sections begins. */
function keepEnd(lines: readonly string[], start: number): number {
  const end = lines.findIndex((line, at) => at >= start && KEEP_END.test(line));
  if (end !== -1) return end + 1;
  const next = lines.findIndex((line, at) => at > start && isOwnHeading(line));
  return next === -1 ? lines.length : next;
}

function isOwnHeading(line: string): boolean {
  return line.startsWith('## ') && idOfTitle(line.slice(3)) !== undefined;
}

export function isClosedKeep(text: string): boolean {
  return KEEP_END.test(text);
}

/** Without the blank lines around it; blanks inside its first line stay. */
function trimLines(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd();
}

/** The nine sections of a document, in their order. */
export const sectionIds = [
  'intent',
  'interface',
  'businessLogic',
  'dataStructures',
  'constraints',
  'edgeCases',
  'technicalDebt',
  'testCoverage',
  'dependencies',
] as const;

/** The sections of the index over all documents. */
export const indexSectionIds = ['modules', 'moduleGraph'] as const;

export type SectionId = (typeof sectionIds)[number] | (typeof indexSectionIds)[number];

/** Other headings the tool writes: three inside a section, two behind the nine when there is something to say. */
export const headingIds = ['diagram', 'fileList', 'criteria', 'conflicts', 'orphans'] as const;

export type HeadingId = (typeof headingIds)[number];

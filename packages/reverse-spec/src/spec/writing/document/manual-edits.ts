import { createHash } from 'node:crypto';
import type { LocaleStrings } from '../../locales.ts';
import {
  classifyLines,
  type DocumentText,
  headingIds,
  idOfTitle,
  isClosedKeep,
  type LineKind,
  readDocumentText,
  readFrontMatter,
  type SectionId,
  type SectionText,
} from './document-text.ts';
import { blocks, fenced } from './markdown.ts';

/** Text that is written if the document does not exist yet. */
export interface FreshText {
  title: string;
  sections: readonly FreshSection[];
}

export interface FreshSection {
  id: SectionId;
  title: string;
  body: string;
}

export interface MergedText {
  /** Text after the front matter. */
  body: string;
  /** Hashes of the new sections, for the front matter. At the next run they show which sections a user edited. */
  sectionHashes: string;
  warnings: string[];
}

/**
 * Merges new text with the text that users wrote into the previous document: kept blocks, marked or edited
 * sections, added sections and a preamble. New text for such a section goes into a section for conflicts.
 */
export function mergeManualEdits(
  fresh: FreshText,
  previous: string | undefined,
  strings: LocaleStrings,
): MergedText {
  return new Merge(fresh, previous ?? '', strings).result();
}

class Merge {
  readonly #fresh: FreshText;
  readonly #strings: LocaleStrings;
  readonly #written: string[] = [];
  readonly #conflicts: FreshSection[] = [];
  readonly #orphans: string[] = [];
  readonly #warnings: string[] = [];
  readonly #recorded: ReadonlyMap<string, string>;

  constructor(fresh: FreshText, previous: string, strings: LocaleStrings) {
    this.#fresh = fresh;
    this.#strings = strings;
    this.#recorded = readHashes(readFrontMatter(previous).sections ?? '');
    const old = readDocumentText(previous);
    this.#takePreamble(old.preamble);
    this.#takeAdded(old, undefined);
    for (const section of this.#fresh.sections) {
      this.#takeSection(section, old);
      this.#takeAdded(old, section.id);
    }
    const conflicts = old.sections.find((each) => each.id === 'conflicts');
    for (const block of keptBlocks(conflicts?.body ?? ''))
      this.#orphan(block, this.#strings.headings.conflicts);
    this.#takeOrphans(old);
  }

  result(): MergedText {
    const { headings, conflicts } = this.#strings;
    const shown = this.#conflicts.map(({ title, body }) => blocks(`### ${title}`, fenced('markdown', body)));
    const tail = [
      ...(shown.length === 0 ? [] : [blocks(`## ${headings.conflicts}`, conflicts.intro, ...shown)]),
      ...(this.#orphans.length === 0 ? [] : [blocks(`## ${headings.orphans}`, ...this.#orphans)]),
    ];
    return {
      body: blocks(...this.#written, ...tail),
      sectionHashes: hashesOf(this.#fresh),
      warnings: this.#warnings,
    };
  }

  #takePreamble(old: string): void {
    const kept = keptBlocks(old);
    const isOurs = old === '' || !this.#recorded.has('title') || this.#matches('title', withoutKept(old));
    this.#written.push(isOurs ? blocks(this.#fresh.title, ...kept.map(({ text }) => text)) : old);
  }

  /** Keeps a section that a user added, after the section that was before it. */
  #takeAdded(old: DocumentText, after: SectionId | undefined): void {
    let current: SectionText['id'];
    for (const section of old.sections) {
      if (section.id !== undefined) current = section.id;
      else if (this.#isBehind(current, after)) this.#written.push(asWritten(section));
    }
  }

  #isBehind(current: SectionText['id'], after: SectionId | undefined): boolean {
    // Sections of a user after those for conflicts and orphans stay at the end of the document.
    const isTail = current === 'conflicts' || current === 'orphans';
    return isTail ? after === this.#fresh.sections.at(-1)?.id : current === after;
  }

  #takeSection(fresh: FreshSection, old: DocumentText): void {
    const section = old.sections.find(({ id }) => id === fresh.id);
    if (section === undefined) this.#written.push(blocks(`## ${fresh.title}`, fresh.body));
    else if (this.#isPersons(fresh.id, section)) this.#keepSection(fresh, section, old);
    else this.#renewSection(fresh, section);
  }

  #isPersons(id: SectionId, section: SectionText): boolean {
    if (isMarked(section)) return true;
    return this.#recorded.has(id) && !this.#matches(id, withoutKept(section.body));
  }

  #keepSection(fresh: FreshSection, section: SectionText, old: DocumentText): void {
    const { conflicts } = this.#strings;
    const { id, title, body } = fresh;
    this.#written.push(asWritten(section));
    this.#warnings.push(isMarked(section) ? conflicts.marked(title) : conflicts.edited(title));
    const isNews = this.#recorded.has(id) && !this.#matches(id, body);
    if (!isNews && !wasInConflict(id, old)) return;
    this.#conflicts.push(fresh);
    this.#warnings.push(conflicts.differs(title));
  }

  #renewSection({ title, body }: FreshSection, section: SectionText): void {
    const { body: placed, homeless } = placeBlocks(body, keptBlocks(section.body));
    this.#written.push(blocks(`## ${title}`, placed));
    for (const block of homeless) this.#orphan(block, title);
  }

  #orphan(block: KeptBlock, section: string): void {
    const place = [section, ...block.place.map((name) => this.#shown(name))].join(' › ');
    this.#orphans.push(blocks(`### ${place}`, block.text));
    this.#warnings.push(this.#strings.conflicts.orphaned(place));
  }

  #shown(name: string): string {
    const id = headingIds.find((each) => each === name);
    return id === undefined ? name : this.#strings.headings[id];
  }

  #takeOrphans(old: DocumentText): void {
    const before = old.sections.find((each) => each.id === 'orphans');
    if (before !== undefined && before.body !== '') this.#orphans.unshift(before.body);
  }

  #matches(id: string, text: string): boolean {
    return this.#recorded.get(id) === hashOf(text);
  }
}

const MARK = /<!--\s*keep section\s*-->/;

function isMarked({ heading, body }: SectionText): boolean {
  return MARK.test(heading) || MARK.test(body.split('\n', 1)[0] ?? '');
}

function asWritten({ heading, body }: SectionText): string {
  return body === '' ? heading : `${heading}\n\n${body}`;
}

function wasInConflict(id: SectionId, old: DocumentText): boolean {
  const shown = old.sections.find((each) => each.id === 'conflicts')?.body ?? '';
  return shown.split('\n').some((line) => line.startsWith('### ') && idOfTitle(line.slice(4)) === id);
}

function hashesOf({ title, sections }: FreshText): string {
  const all = sections.map(({ id, body }) => `${id}:${hashOf(body)}`);
  return [`title:${hashOf(title)}`, ...all].join(' ');
}

function readHashes(written: string): Map<string, string> {
  return new Map(
    written.split(' ').flatMap((pair) => {
      const [id, hash] = pair.split(':');
      return id === undefined || hash === undefined ? [] : [[id, hash]];
    }),
  );
}

/** Hashes a text without whitespace and table rulers, so that formatting is not an edit. */
function hashOf(text: string): string {
  const bare = text.replace(/\s+/g, '').replace(/-{2,}/g, '-');
  return createHash('sha256').update(bare).digest('hex').slice(0, 12);
}

/** Text between keep marks, including the marks, and its position. */
interface KeptBlock {
  text: string;
  /** Headings that contain the block, from the outermost inside its section. */
  place: string[];
  /** Whether the block is the first thing below the last of these headings. */
  isFirst: boolean;
}

function keptBlocks(body: string): KeptBlock[] {
  return partsOf(body).flatMap(({ kept }) => kept);
}

/** Returns the text of a section without kept blocks. */
function withoutKept(body: string): string {
  return partsOf(body)
    .flatMap(({ heading, text }) => [heading, text])
    .join('\n');
}

/** Part of a section: a heading with the text below it. */
interface Part {
  /** This heading and those that contain it, outermost first. Empty before the first heading. */
  place: string[];
  heading: string;
  text: string;
  kept: KeptBlock[];
}

/** Splits a section at its headings. In new text keep marks are ignored, because no user wrote it. */
function partsOf(body: string, { isNew = false } = {}): Part[] {
  const lines = body.split('\n');
  const kinds = classifyLines(lines);
  const path: Heading[] = [];
  let part: Part = { place: [], heading: '', text: '', kept: [] };
  const parts = [part];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (kinds[at] === 'keep' && !isNew) {
      const end = endOfStretch(lines, kinds, at);
      const { place, text } = part;
      part.kept.push({ text: closed(lines.slice(at, end)), place, isFirst: text.trim() === '' });
      at = end - 1;
    } else if (enter(path, line, kinds[at])) {
      part = { place: path.map(({ name }) => name), heading: line, text: '', kept: [] };
      parts.push(part);
    } else part.text += `${line}\n`;
  }
  return parts;
}

/** Returns the line after a kept block. The block ends at the next end mark. */
function endOfStretch(lines: readonly string[], kinds: readonly LineKind[], start: number): number {
  let at = start;
  while (at < lines.length && kinds[at] === 'keep') {
    at += 1;
    if (isClosedKeep(lines[at - 1] ?? '')) break;
  }
  return at;
}

/** Returns the text of a kept block. Adds the end mark if the user forgot it. */
function closed(lines: readonly string[]): string {
  const text = lines.join('\n');
  return isClosedKeep(text) ? text : `${text}\n<!-- /keep -->`;
}

/** Puts each block back below its heading. Blocks whose heading no longer exists are returned as `homeless`. */
function placeBlocks(body: string, kept: readonly KeptBlock[]): { body: string; homeless: KeptBlock[] } {
  const parts = partsOf(body, { isNew: true }).map((part) => ({ ...part, before: [''], after: [''] }));
  const homeless: KeptBlock[] = [];
  for (const block of kept) {
    const part = parts.find(({ place }) => place.join('\n') === block.place.join('\n'));
    if (part === undefined) homeless.push(block);
    else (block.isFirst ? part.before : part.after).push(block.text);
  }
  const texts = parts.flatMap(({ heading, before, text, after }) => [
    heading,
    ...before,
    text.trim(),
    ...after,
  ]);
  return { body: texts.filter((text) => text !== '').join('\n\n'), homeless };
}

interface Heading {
  level: number;
  name: string;
}

/** Whether a line is a heading. If it is, changes `path` to end with it. */
function enter(path: Heading[], line: string, kind: LineKind | undefined): boolean {
  const [, marks, title] = (kind === 'text' ? /^(#{3,6})\s+(.*)/ : /^$a/).exec(line.trimEnd()) ?? [];
  if (marks === undefined || title === undefined) return false;
  while ((path.at(-1)?.level ?? 0) >= marks.length) path.pop();
  path.push({ level: marks.length, name: nameOf(title) });
  return true;
}

/** Returns the key of a heading: the code in it. Line numbers, counts and the language may change. */
function nameOf(title: string): string {
  const code = /(`{1,9}) ?(.{1,300}?) ?\1/.exec(title)?.[2];
  return code ?? idOfTitle(title) ?? title;
}

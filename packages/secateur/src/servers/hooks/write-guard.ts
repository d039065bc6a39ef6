import { setImmediate as nextTurn } from 'node:timers/promises';
import { isFields } from '@secateur/base/text/json.ts';
import { type LineRange, lineBlocks } from '@secateur/base/text/lines.ts';
import {
  type Program,
  pipelinesOf,
  programName,
  redirectsToFile,
  splitHereDocuments,
  withoutPrefix,
} from '@secateur/base/text/shell-words.ts';
import { type EventReader, textParts, type WriteEvent } from './client.ts';
import { replacesFile, SAID_ONCE, type UnshownLines, unshownLines } from './earlier-cuts.ts';
import type { EventDeps } from './hook.ts';
import { entriesWithCut } from './transcript.ts';
import {
  cutIn,
  findDisguised,
  findMarker,
  type MarkerPlace,
  type ShownCut,
  type WrittenMarker,
} from './written-markers.ts';

/**
 * Returns why a call must not run: it would write a marker where lines were removed. An exact marker line is
 * always refused. A disguised marker is refused only if the conversation contains its gap or id (X28).
 */
export async function reasonToRefuse(
  event: WriteEvent,
  client: EventReader,
  {
    program,
    files,
    allowsMarkers,
  }: Pick<EventDeps, 'program' | 'files'> & { readonly allowsMarkers: boolean },
): Promise<string | undefined> {
  if (isReadingTool(event.call.tool)) return undefined;
  const found = await markersIn(allowsMarkers ? [] : writtenTexts(event.input));
  const hasMarker = found.exact !== undefined || found.disguised.length > 0;
  // If a transcript does not show compactions, it does not show either whether a call was refused before.
  const mayReplace = client.tellsWhatIsShown === true && replacesFile(event);
  if (!hasMarker && !mayReplace) return undefined;
  const entries = await entriesWithCut(event.call, client, files);
  const cuts = entries.flatMap((entry) => (entry.kind === 'result' ? (cutIn(entry.text) ?? []) : []));
  const wasShown = ({ id, lines }: WrittenMarker) =>
    cuts.some(({ ids, gaps }) => (id === undefined ? hasGap(gaps, lines) : ids.includes(id)));
  const marker = found.exact ?? found.disguised.find(wasShown);
  if (marker !== undefined) return refusal(withId(marker, cuts), program);
  const unshown = mayReplace ? unshownLines(event, entries) : undefined;
  return unshown && replacingRefusal(unshown, program);
}

/** Whether the name of a tool shows that it searches for a text or recovers one: `mcp__files__search_files`. */
function isReadingTool(tool: string): boolean {
  const name = tool.split('__').at(-1) ?? tool;
  return READING_VERB.test(name) && !WRITING_VERB.test(name);
}

const READING_VERB =
  /(?:^|[_-])(?:search|grep|find|query|lookup|read|get|list|fetch|recover|prune)(?:[_-]|$)/i;
const WRITING_VERB = /writ|replac|edit|updat|insert|creat|append|save/i;

/** Finds markers in texts of any number and length, one block at a time. */
async function markersIn(texts: readonly WrittenText[]) {
  const disguised: WrittenMarker[] = [];
  let chars = 0;
  const blocks = texts.flatMap(({ text, place }) =>
    Array.from(lineBlocks(text), (block) => ({ block, place })),
  );
  for (const { block, place } of blocks) {
    // Replaces quotes and `\n` by line breaks, because lines written by a command begin and end there.
    const exact = findMarker(place === 'line' ? block : block.replace(/\\n|['"`]/g, '\n'));
    if (exact !== undefined) return { exact, disguised };
    if (disguised.length < MAX_DISGUISED) disguised.push(...findDisguised(block, place));
    chars += block.length;
    if (chars > CHARS_PER_TURN) {
      chars = 0;
      await nextTurn();
    }
  }
  return { exact: undefined, disguised };
}

/** Number of characters after which other events are handled. */
const CHARS_PER_TURN = 65_536;
const MAX_DISGUISED = 10_000;

function hasGap(gaps: readonly LineRange[], lines: LineRange | undefined): boolean {
  return lines !== undefined && gaps.some(({ start, end }) => start === lines.start && end === lines.end);
}

/** Adds an id to a compact gap without a headline: the id of the newest output with this gap. */
function withId(marker: WrittenMarker, cuts: readonly ShownCut[]): WrittenMarker {
  if (marker.id !== undefined) return marker;
  return { ...marker, id: cuts.findLast(({ gaps }) => hasGap(gaps, marker.lines))?.id };
}

/** Returns the refusal that names the lines which the agent would delete without having seen them (A23). It is given once. */
function replacingRefusal({ id, lines }: UnshownLines, program: string): string {
  const ranges = lines.map(({ start, end }) => `${start}-${end}`).join(',');
  const asked = lines.map(({ start, end }) => ({ start_line: start, end_line: end }));
  const call = JSON.stringify({ prune_id: id, ranges: asked });
  return (
    `This would replace a file of which you were not shown lines ${ranges}. ` +
    `Get them first: recover_text ${call}, or in a shell: ${program} recover ${id} ${ranges}. ` +
    `If the file is to lose them, make the same call again. ${SAID_ONCE}`
  );
}

function refusal({ id, lines }: WrittenMarker, program: string): string {
  const { start, end } = lines ?? { start: 1, end: 1 };
  const call = JSON.stringify({
    prune_id: id ?? 'prn_… (from the first line of that output)',
    ranges: [{ start_line: start, end_line: end }],
  });
  const shell = `${program} recover ${id ?? 'prn_…'} ${start}-${end}`;
  return (
    'This text holds a marker that stands for lines left out; writing it would lose them. ' +
    `Get the lines first: recover_text ${call}, or in a shell: ${shell}. Then write the text with the real lines.`
  );
}

/** A text that a call would write, or a command that would write it. */
interface WrittenText {
  readonly text: string;
  readonly place: MarkerPlace;
}

/** Names of arguments that a shell runs. */
const COMMAND_KEYS = new Set(['command', 'cmd', 'script', 'commandline']);

/** Names of arguments that are searched for, replaced or shown to the user, but not written. */
const UNWRITTEN_KEYS = new Set([
  ...['old_string', 'oldstring', 'old_str', 'old_text', 'oldtext', 'search', 'find', 'needle'],
  ...['pattern', 'query', 'q', 'regex', 'filter', 'glob', 'path', 'file_path', 'filepath', 'notebook_path'],
  ...['file', 'uri', 'url', 'prune_id', 'id', 'description', 'prompt', 'question', 'goal', 'reason'],
]);

/** Returns the texts that a call would write, by the names of its arguments and programs. */
function writtenTexts(input: unknown): WrittenText[] {
  if (!isFields(input)) return textParts(input).map(fileText);
  return Object.entries(input).flatMap(([key, value]) => {
    const name = key.toLowerCase();
    if (UNWRITTEN_KEYS.has(name)) return [];
    if (COMMAND_KEYS.has(name)) return textParts(value).flatMap((text) => writtenByCommand(text));
    if (typeof value === 'string') return [fileText(value)];
    return Array.isArray(value) ? value.flatMap(writtenTexts) : writtenTexts(value);
  });
}

/** Returns the text that would be written. Of a patch, these are the added lines. */
function fileText(text: string): WrittenText {
  if (!IS_PATCH.test(text)) return { text, place: 'line' };
  const added = text.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  return { text: added.map((line) => line.slice(1)).join('\n'), place: 'line' };
}

const IS_PATCH = /^(?:\*\*\* (?:Begin Patch|Update File|Add File)|@@ |--- )/m;

/** Maximum characters of a command that are analysed. */
const MAX_COMMAND_CHARS = 1_000_000;
const MAX_NESTED_SHELLS = 3;

/** Returns the texts that a command would write: here-documents, and the arguments of programs that write files. */
function writtenByCommand(given: string, depth = 0): WrittenText[] {
  if (IS_PATCH.test(given) && given.trimStart().startsWith('*** ')) return [fileText(given)];
  const { documents } = splitHereDocuments(given);
  const programs = pipelinesOf(given, MAX_COMMAND_CHARS).flat();
  const isScript = programs.some((program) => INTERPRETER.test(nameIn(program)));
  const inDocuments = documents.map((text) =>
    isScript ? { text, place: 'anywhere' as const } : fileText(text),
  );
  const nested = programs.flatMap((program) => nestedCommands(program, depth));
  const isWriting = redirectsToFile(given) || programs.some((program) => writesFile(program, documents));
  const writing = isWriting ? programs.filter((program) => !isReading(program)) : [];
  // In `echo ✂ 36-47` the marker consists of two words.
  const words = writing.flatMap((program) => [...program, program.join(' ')]);
  return [...inDocuments, ...nested, ...words.map((text) => ({ text, place: 'anywhere' as const }))];
}

function nestedCommands(program: Program, depth: number): WrittenText[] {
  const [, ...words] = withoutPrefix(program);
  if (!SHELL.test(nameIn(program)) || depth >= MAX_NESTED_SHELLS) return [];
  return words.filter((word) => !word.startsWith('-')).flatMap((word) => writtenByCommand(word, depth + 1));
}

const SHELL = /^(?:ba|z|da|k|fi)?sh$|^eval$/;
const INTERPRETER =
  /^(?:python|node|perl|ruby|php|deno|bun|lua|tclsh|Rscript|osascript|pwsh|g?awk|m?awk)[\d.]*$/;
/** Matches words in a script that show that the script writes a file. */
const SCRIPT_WRITES = /writ|append|open|put|dump|save|replace|copy|>|(?:^|\s)-\w{0,9}i/i;
const WRITERS = new Set(['tee', 'dd', 'sponge', 'ed', 'ex', 'vi', 'vim', 'patch', 'apply_patch', 'xargs']);

/** Programs that search for their arguments or recover lines. They do not write their arguments. */
const READERS = new Set('grep egrep fgrep zgrep rg ag ack find fd test [ [[ secateur diff'.split(' '));

function nameIn(program: Program): string {
  return programName(withoutPrefix(program));
}

function writesFile(program: Program, documents: readonly string[]): boolean {
  const name = nameIn(program);
  if (WRITERS.has(name)) return true;
  if (name === 'sed') return program.some((word) => /^(?:-[A-Za-z]*i|--in-place)/.test(word));
  return INTERPRETER.test(name) && [...program, ...documents].some((text) => SCRIPT_WRITES.test(text));
}

/** Whether a program only reads. `sed` does if it has no `-i` and its script only prints or deletes. */
function isReading(program: Program): boolean {
  const name = nameIn(program);
  if (name === 'git') return program.includes('grep') || program.includes('log');
  if (name === 'sed' && !writesFile(program, [])) return program.includes('-n');
  return READERS.has(name) || SHELL.test(name);
}

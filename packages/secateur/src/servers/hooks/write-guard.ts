import { setImmediate as nextTurn } from 'node:timers/promises';
import { type LineRange, lineBlocks } from '@secateur/base/text/lines.ts';
import type { EventReader, WriteEvent } from './client.ts';
import type { EventFiles } from './event-files.ts';
import { entriesWithCut, type TranscriptEntry } from './transcript.ts';
import { replacesFile, SAID_ONCE, type UnshownLines, unshownLines } from './unshown-lines.ts';
import { cutIn, findDisguised, findMarker, type ShownCut, type WrittenMarker } from './written-markers.ts';
import { type WrittenText, writtenTexts } from './written-texts.ts';

interface GuardParts {
  readonly program: string;
  readonly files: EventFiles;
  /** Whether the settings allow markers in the file that the call names. */
  readonly allowsMarkers: boolean;
}

/**
 * Says why a call must not run: it would write the marker of a gap in the place of its lines. An exact marker line is
 * refused always, a disguised one if the conversation showed that gap or id (X28).
 */
export async function reasonToRefuse(
  event: WriteEvent,
  client: EventReader,
  { program, files, allowsMarkers }: GuardParts,
): Promise<string | undefined> {
  if (isReadingTool(event.call.tool)) return undefined;
  const found = await markersIn(allowsMarkers ? [] : writtenTexts(event.input));
  const hasMarker = found.exact !== undefined || found.disguised.length > 0;
  // A transcript that does not tell what is shown would not tell either that a call was refused before.
  const mayReplace = client.tellsWhatIsShown === true && replacesFile(event);
  if (!hasMarker && !mayReplace) return undefined;
  const entries = await entriesWithCut(event.call, client, files);
  const cuts = cutsShown(entries);
  const marker = found.exact ?? found.disguised.find((each) => wasShown(each, cuts));
  if (marker !== undefined) return refusal(withId(marker, cuts), program);
  const unshown = mayReplace ? unshownLines(event, entries) : undefined;
  return unshown && replacingRefusal(unshown, program);
}

/** Whether a tool looks for a text or recovers one, by the name that its server gives it: `mcp__files__search_files`. */
function isReadingTool(tool: string): boolean {
  const name = tool.split('__').at(-1) ?? tool;
  return READING_VERB.test(name) && !WRITING_VERB.test(name);
}

const READING_VERB =
  /(?:^|[_-])(?:search|grep|find|query|lookup|read|get|list|fetch|recover|prune)(?:[_-]|$)/i;
const WRITING_VERB = /writ|replac|edit|updat|insert|creat|append|save/i;

interface FoundMarkers {
  readonly exact: WrittenMarker | undefined;
  readonly disguised: readonly WrittenMarker[];
}

/** Looks through texts of any number and length, block by block. */
async function markersIn(texts: readonly WrittenText[]): Promise<FoundMarkers> {
  const disguised: WrittenMarker[] = [];
  let chars = 0;
  for (const { block, place } of texts.flatMap(blocksOf)) {
    const exact = findMarker(place === 'line' ? block : unquoted(block));
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

function blocksOf({ text, place }: WrittenText) {
  return Array.from(lineBlocks(text), (block) => ({ block, place }));
}

/** After this many characters other events get their turn. */
const CHARS_PER_TURN = 65_536;
const MAX_DISGUISED = 10_000;

/** In a command, quotes and `\n` begin and end the lines that it writes. */
function unquoted(text: string): string {
  return text.replace(/\\n|['"`]/g, '\n');
}

function cutsShown(entries: readonly TranscriptEntry[]): ShownCut[] {
  return entries.flatMap((entry) => (entry.kind === 'result' ? (cutIn(entry.text) ?? []) : []));
}

function wasShown({ id, lines }: WrittenMarker, cuts: readonly ShownCut[]): boolean {
  return cuts.some(({ ids, gaps }) => (id === undefined ? hasGap(gaps, lines) : ids.includes(id)));
}

function hasGap(gaps: readonly LineRange[], lines: LineRange | undefined): boolean {
  return lines !== undefined && gaps.some(({ start, end }) => start === lines.start && end === lines.end);
}

/** Adds the id to a compact gap without its first line: that of the newest output with this gap. */
function withId(marker: WrittenMarker, cuts: readonly ShownCut[]): WrittenMarker {
  if (marker.id !== undefined) return marker;
  return { ...marker, id: cuts.findLast(({ gaps }) => hasGap(gaps, marker.lines))?.id };
}

/** Says once which lines of a file the agent would replace without having seen them (A23). */
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

import { setImmediate as nextTurn } from 'node:timers/promises';
import { lineBlocks } from '../../text/lines.ts';
import type { EventReader, WriteEvent } from './client.ts';
import type { EventFiles } from './event-files.ts';
import { entriesBefore } from './transcript.ts';
import { findMarker, idOfGap, type WrittenMarker } from './written-markers.ts';

/** Why a call must not go on: it would write the mark of a gap over the lines it stands for. */
export async function reasonToRefuse(
  { call, payload }: WriteEvent,
  client: EventReader,
  { program, files }: { program: string; files: EventFiles },
): Promise<string | undefined> {
  const marker = await firstMarker(payload);
  if (marker === undefined) return undefined;
  const entries = marker.id === undefined ? await entriesBefore(call, client, files) : [];
  const results = entries.flatMap((entry) => (entry.kind === 'result' ? [entry.text] : []));
  return refusal(withId(marker, results), program);
}

/** Looks through texts of any number and length, block by block: a marker is one line, in whichever text it is. */
async function firstMarker(payload: readonly string[]): Promise<WrittenMarker | undefined> {
  const all = payload.join('\n');
  for (const block of lineBlocks(all)) {
    const marker = findMarker(block);
    if (marker !== undefined) return marker;
    if (block.length < all.length) await nextTurn();
  }
  return undefined;
}

/** A compact gap without its first line: the newest output that has it says whose it is. */
function withId(marker: WrittenMarker, results: readonly string[]): WrittenMarker {
  const { lines } = marker;
  if (marker.id !== undefined || lines === undefined) return marker;
  const ids = results.flatMap((text) => idOfGap(text, lines) ?? []);
  return { ...marker, id: ids.at(-1) };
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

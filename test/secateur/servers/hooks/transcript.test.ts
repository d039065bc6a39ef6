import { appendFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openRegularFile, type RegularFile } from '../../../../packages/base/src/runtime/bounded-reading.ts';
import { claudeCode } from '../../../../packages/secateur/src/servers/hooks/clients/claude-code.ts';
import { TranscriptMemory } from '../../../../packages/secateur/src/servers/hooks/transcript.ts';
import { claudeTranscript, toolGave, userSays } from '../../../support/hook-events.ts';

const { readEntry } = claudeCode;
const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
const MEGABYTE = 1024 * 1024;

/** Reads a transcript through a memory and counts the bytes that were read of the file. */
async function readThrough(memory: TranscriptMemory, path: string) {
  const file = openRegularFile(path);
  if (file.kind === 'refused') throw new Error(file.reason);
  let bytes = 0;
  const counting = {
    ...{ kind: file.kind, fd: file.fd, size: file.size, close: () => file.close() },
    readAt: (start: number, length: number) => {
      bytes += length;
      return file.readAt(start, length);
    },
  } as RegularFile;
  const entries = await memory.read(counting, { path, readEntry }).finally(() => file.close());
  return { bytes, texts: entries.map((entry) => ('text' in entry ? entry.text : entry.kind)) };
}

describe('TranscriptMemory', () => {
  it('[P52] TranscriptMemory reads only the added part of a growing transcript, and returns the same entries as a new memory', async () => {
    const memory = new TranscriptMemory();
    const path = claudeTranscript(...Array.from({ length: 200 }, (_, at) => userSays(`request ${at} é`)));
    expect((await readThrough(memory, path)).texts).toHaveLength(200);
    const added = lineOf(userSays('one more'));
    appendFileSync(path, added);
    const again = await readThrough(memory, path);
    expect(again.bytes).toBe(Buffer.byteLength(added) + 256);
    expect(again.texts).toEqual((await readThrough(new TranscriptMemory(), path)).texts);
    expect((await readThrough(memory, path)).bytes).toBe(256);
  });

  it('[P52] TranscriptMemory reads an incomplete last line, and reads it again when it is complete', async () => {
    const memory = new TranscriptMemory();
    const path = claudeTranscript(userSays('first'));
    const line = lineOf(userSays('second'));
    appendFileSync(path, line.slice(0, 20));
    expect((await readThrough(memory, path)).texts).toEqual(['first']);
    appendFileSync(path, line.slice(20, -1));
    expect((await readThrough(memory, path)).texts).toEqual(['first', 'second']);
    appendFileSync(path, '\n');
    expect((await readThrough(memory, path)).texts).toEqual(['first', 'second']);
  });

  it('[P52] TranscriptMemory reads a transcript from its start if it became shorter or was replaced', async () => {
    const memory = new TranscriptMemory();
    const path = claudeTranscript(userSays('first'), userSays('second'));
    await readThrough(memory, path);
    writeFileSync(path, lineOf(userSays('short')));
    expect((await readThrough(memory, path)).texts).toEqual(['short']);
    writeFileSync(path, lineOf(userSays('other')) + lineOf(userSays('third')));
    expect((await readThrough(memory, path)).texts).toEqual(['other', 'third']);
  });

  it('[P52] TranscriptMemory reads at most the last 4 MiB, also of a growing transcript', async () => {
    const memory = new TranscriptMemory();
    const path = claudeTranscript(userSays('the beginning'), toolGave('t1', 'x'.repeat(3 * MEGABYTE)));
    expect((await readThrough(memory, path)).texts[0]).toBe('the beginning');
    appendFileSync(path, lineOf(toolGave('t2', 'y'.repeat(3 * MEGABYTE))) + lineOf(userSays('the end')));
    const { texts } = await readThrough(memory, path);
    expect(texts.map((text) => text.slice(0, 7))).toEqual(['yyyyyyy', 'the end']);
    expect((await readThrough(new TranscriptMemory(), path)).texts).toEqual(texts);
  });

  it('[P52] TranscriptMemory drops the least recently read transcripts when it holds more than 16 MiB', async () => {
    const memory = new TranscriptMemory();
    const paths = Array.from({ length: 6 }, (_, at) =>
      claudeTranscript(toolGave(`t${at}`, String(at).repeat(3 * MEGABYTE))),
    );
    for (const path of paths) await readThrough(memory, path);
    expect((await readThrough(memory, paths.at(-1) ?? '')).bytes).toBe(256);
    expect((await readThrough(memory, paths[0] ?? '')).bytes).toBeGreaterThan(3 * MEGABYTE);
  });

  it('[P52] TranscriptMemory returns all entries once to each of several concurrent readers', async () => {
    const memory = new TranscriptMemory();
    const path = claudeTranscript(userSays('first'));
    await readThrough(memory, path);
    appendFileSync(path, lineOf(userSays('second')));
    const all = await Promise.all(Array.from({ length: 8 }, () => readThrough(memory, path)));
    for (const { texts } of all) expect(texts).toEqual(['first', 'second']);
    expect((await readThrough(memory, path)).texts).toEqual(['first', 'second']);
  });
});

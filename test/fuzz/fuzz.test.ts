import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactUnparsed } from '../../packages/base/src/redaction/redact.ts';
import { DomainError } from '../../packages/base/src/runtime/domain-error.ts';
import { isHandle, markerStyle, readMarker } from '../../packages/engine/src/marker.ts';
import { stringsByLanguage } from '../../packages/reverse-spec/src/spec/locales.ts';
import { readEmbeddedBaseline } from '../../packages/reverse-spec/src/spec/writing/document/baseline.ts';
import { mergeManualEdits } from '../../packages/reverse-spec/src/spec/writing/document/manual-edits.ts';
import { eventData, readEvents } from '../../packages/secateur/src/servers/gateway/server-events.ts';
import { HOOK_CLIENTS } from '../../packages/secateur/src/servers/hooks/clients.ts';
import { answerEvent } from '../../packages/secateur/src/servers/hooks/hook.ts';
import { parseToml } from '../../packages/serving/src/config/config-file.ts';
import { createDispatcher } from '../../packages/serving/src/wire/dispatcher.ts';
import { readMessage } from '../../packages/serving/src/wire/messages/rpc-message.ts';
import { parseJson } from '../../packages/serving/src/wire/protocol.ts';
import { readFileInside } from '../../packages/serving/src/workspace/files-in-root.ts';
import { resolveInRoot } from '../../packages/serving/src/workspace/root.ts';
import { echoServer } from '../serving/wire/echo-server.ts';
import { bashEvent, TEST_RUN, temporaryFile, testHook } from '../support/hook-events.ts';
import { temporaryTree } from '../support/temporary-tree.ts';
import { corpus } from './corpus.ts';

/** A small number for every test run. `npm run fuzz` sets a larger one. */
const numRuns = Number(process.env.SECATEUR_FUZZ_RUNS ?? 300);

/** Returns known inputs with small damages, because most inputs that break a parser are nearly valid. */
function nearly(inputs: readonly string[]): fc.Arbitrary<string> {
  const cut = fc.tuple(
    fc.constantFrom(...inputs),
    fc.nat(),
    fc.nat(20),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  const damaged = cut.map(([text, at, length, put]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + put + text.slice(place + length);
  });
  return fc.oneof({ weight: 3, arbitrary: damaged }, { weight: 1, arbitrary: fc.constantFrom(...inputs) });
}

it('[X17] [X18] the dispatcher returns at most one response to any bytes, and never throws', async () => {
  const dispatcher = createDispatcher(echoServer());
  const signal = new AbortController().signal;
  await fc.assert(
    fc.asyncProperty(nearly(corpus.rpc), async (text) => {
      const json = parseJson(Buffer.from(text));
      const answer =
        json.kind === 'unparsable'
          ? dispatcher.unparsable(json.reason)
          : await dispatcher.dispatch(readMessage(json.value), { signal });
      if (answer !== undefined)
        expect(JSON.parse(String(await dispatcher.encode(answer)))).toMatchObject({ jsonrpc: '2.0' });
    }),
    { numRuns },
  );
});

it('[X17] [X18] the event stream reader returns events or one error for any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(nearly(corpus.events), fc.integer({ min: 1, max: 40 }), async (text, step) => {
      const bytes = Buffer.from(text);
      async function* chunks() {
        for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
      }
      try {
        for await (const event of readEvents(chunks(), { maxBytes: 2000 })) eventData(event);
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
    }),
    { numRuns },
  );
});

it('[X17] [X18] parseToml returns a table or throws an error message for any text', () => {
  fc.assert(
    fc.property(nearly(corpus.toml), (text) => {
      try {
        expect(typeof parseToml(text, 'config.toml')).toBe('object');
      } catch (error) {
        expect(error).toMatchObject({ code: 'config_invalid' });
      }
    }),
    { numRuns },
  );
});

it('[X15] [X18] any path is resolved inside the root or refused, and no outside file is ever read', async () => {
  const outside = await temporaryTree({ 'secret.txt': 'outside' });
  const root = await temporaryTree({ 'a.txt': 'inside', 'dir/b.txt': 'inside' });
  await symlink(outside.real, join(root.real, 'link'));
  await symlink(join(outside.real, 'secret.txt'), join(root.real, 'dir', 'leak.txt'));
  await writeFile(join(root.real, 'weird …name'), 'inside');
  await fc.assert(
    fc.asyncProperty(
      nearly([...corpus.paths, relative(root.real, outside.real), outside.real]),
      async (path) => {
        const placed = resolveInRoot(root, path);
        if (placed.kind === 'inside')
          expect(relative(root.real, placed.absolute)).not.toMatch(/^\.\.(?:\/|$)/);
        try {
          expect((await readFileInside(root, path, { maxBytes: 1000 })).text).toBe('inside');
        } catch (error) {
          expect(error).toBeInstanceOf(DomainError);
        }
      },
    ),
    { numRuns },
  );
  expect(await readFile(join(outside.real, 'secret.txt'), 'utf8')).toBe('outside');
});

it('[X10] [X18] redactUnparsed keeps the lines of any text, and does not change its own result', () => {
  fc.assert(
    fc.property(nearly(corpus.sources), (text) => {
      const once = redactUnparsed(text);
      expect(once.split('\n').length).toBe(text.split('\n').length);
      expect(redactUnparsed(once)).toBe(once);
    }),
    { numRuns },
  );
});

it('[X17] [X18] mergeManualEdits keeps kept text of any spec document, and readEmbeddedBaseline reports any damage', () => {
  const fresh = { title: 'x', sections: [{ id: 'intent', title: 'Overview', body: 'fresh' }] } as const;
  fc.assert(
    fc.property(nearly(corpus.documents), (text) => {
      expect(['read', 'missing', 'damaged']).toContain(readEmbeddedBaseline(text).kind);
      const { body } = mergeManualEdits(fresh, text, stringsByLanguage.en);
      expect(body).toContain('fresh');
      if (/^words$/m.test(text) && text.includes('<!-- keep -->\nwords\n<!-- /keep -->'))
        expect(body).toContain('words');
    }),
    { numRuns },
  );
});

it('[X17] [X18] a hook returns a result whatever text its transcript contains', async () => {
  const parts = testHook();
  const output = TEST_RUN.slice(-1200);
  await fc.assert(
    fc.asyncProperty(nearly(corpus.transcripts), fc.constantFrom(...HOOK_CLIENTS), async (text, client) => {
      const event = bashEvent(output, { transcript_path: temporaryFile('session.jsonl', text) });
      const answer = await answerEvent(client, event, parts);
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
    }),
    { numRuns: Math.min(numRuns, 2000) },
  );
});

it('[X17] [X18] readMarker returns a marker with valid line numbers or undefined for any line', () => {
  fc.assert(
    fc.property(nearly(corpus.markers), (line) => {
      const marker = readMarker(line);
      if (marker?.kind === 'gap') {
        expect(marker.lines.start).not.toBeNaN();
        expect(marker.lines.end).not.toBeNaN();
      }
      expect(typeof isHandle(line)).toBe('boolean');
      expect(['compact', 'canonical']).toContain(markerStyle('compact', line));
    }),
    { numRuns },
  );
});

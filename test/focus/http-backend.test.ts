import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createRecovery } from '../../src/recovery/recovery.ts';
import { MemoryStore } from '../../src/recovery/stores/memory.ts';
import { httpBackend } from '../../src/servers/focus/http-backend.ts';
import { handClock } from '../support/hand-clock.ts';

const foreign = '⟦PRUNÉ: prune_id=prn_OF_ANOTHER_TEXT lignes 4-9 (6) raison=hors focus⟧';
const given = '⟦PRUNÉ: prune_id=prn_OF_THE_SERVICE lignes 2-3 (2) raison=hors focus⟧';

it('[X11] [P19] a marker that is part of the text keeps its id; the service’s own gets ours', async () => {
  const store = new MemoryStore({ ttlMs: 1e6, maxBytes: 1e6, clock: handClock(), randomBytes });
  const recovery = createRecovery({ store, randomBytes });
  const output = `${foreign}\n${given}\nlast`;
  const fetchStandIn = async () => Response.json({ output, output_bytes: Buffer.byteLength(output) });
  const url = 'http://127.0.0.1:1/prune';
  const backend = httpBackend({
    url,
    timeoutMs: 1000,
    recovery,
    fetch: fetchStandIn as typeof fetch,
  });
  const answer = await backend.prune({
    requestId: 'r',
    tool: 'read',
    question: 'what is last?',
    text: `${foreign}\na\nb\nlast`,
    sourceType: 'code',
    origin: { kind: 'file', path: 'a.ts' },
    maxOutputBytes: undefined,
    command: 'a.ts',
    style: { markers: 'canonical', numbered: false },
    signal: new AbortController().signal,
  });
  if (answer.kind !== 'pruned') throw new Error(answer.kind);
  expect(answer.text).toBe(`${foreign}\n${given.replace('prn_OF_THE_SERVICE', answer.pruneId ?? '')}\nlast`);
});

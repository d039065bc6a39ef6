import { openSync, writeSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOOK_CLIENTS } from '../../packages/secateur/src/servers/hooks/clients.ts';
import {
  agentCalls,
  bashEvent,
  CLIENT_ENV,
  claudeEvent,
  claudeTranscript,
  readEvent,
  TEST_RUN,
  temporaryFile,
  toolGave,
  userSays,
} from '../support/hook-events.ts';
import { mutated } from '../support/mutated-event.ts';
import { secateur, temporaryFolder } from '../support/secateur-cli.ts';
import { type SecateurProcess, startSecateur } from '../support/secateur-process.ts';

const HTTP_RUNS = 2000;
const PROCESS_RUNS = 40;
const LOG = TEST_RUN.slice(-1200);
const NAMES = HOOK_CLIENTS.map(({ name }) => name);

/** Real events, some of them changed at random, any JSON, and text that is not JSON. */
function oddBodies(transcript_path: string): fc.Arbitrary<string> {
  const real = [
    bashEvent(LOG, { transcript_path }),
    readEvent(LOG, { transcript_path }),
    claudeEvent('Teleport', { tool_response: LOG }),
    claudeEvent('mcp__x__y', { tool_response: { content: [{ type: 'text', text: LOG }] } }),
    { ...bashEvent(''), hook_event_name: 'PreToolUse', tool_input: { command: '✂ 3-4' } },
    ...HOOK_CLIENTS.map((client) => ({ ...client.sample(LOG).event, transcript_path })),
  ];
  const event = fc.oneof(fc.jsonValue(), fc.constantFrom(...real).chain(mutated));
  const body = event.map((value) => JSON.stringify(value) ?? '');
  const torn = fc.tuple(body, fc.nat(400)).map(([text, at]) => text.slice(0, at));
  return fc.oneof({ weight: 4, arbitrary: body }, torn, fc.string());
}

/** Returns 100 MB of a session, with incomplete first and last lines. */
function hugeTranscript(): string {
  const path = temporaryFile('session.jsonl', '"torn"}\n');
  const line = `${JSON.stringify(toolGave('t', 'x'.repeat(1_000_000)))}\n`;
  const file = openSync(path, 'a');
  for (let count = 0; count < 100; count += 1) writeSync(file, line);
  writeSync(file, `${JSON.stringify(userSays('Why does the retry test fail?'))}\n{"type":"assist`);
  return path;
}

describe('secateur hook with malformed events', () => {
  let server: SecateurProcess;
  beforeAll(async () => {
    server = await startSecateur(['pruner'], { env: CLIENT_ENV });
  });
  afterAll(() => server.stop());

  it(`[A2] POST /hooks/CLIENT returns valid JSON for ${HTTP_RUNS} malformed events`, {
    timeout: 240_000,
  }, async () => {
    const transcript = claudeTranscript(userSays('why'), agentCalls('t', 'Read', {}));
    await fc.assert(
      fc.asyncProperty(oddBodies(transcript), fc.constantFrom(...NAMES), async (body, client) => {
        const headers = { 'content-type': 'application/json' };
        const answer = await fetch(`${server.url}/hooks/${client}`, { method: 'POST', headers, body });
        expect(answer.status).toBe(200);
        expect(typeof JSON.parse(await answer.text())).toBe('object');
      }),
      { numRuns: HTTP_RUNS },
    );
  });

  it(`[A2] secateur hook prints valid JSON and exits with 0 for ${PROCESS_RUNS} malformed events, with a transcript of 100 MB`, {
    timeout: 240_000,
  }, async () => {
    const dataDir = temporaryFolder();
    const transcript = hugeTranscript();
    await fc.assert(
      fc.asyncProperty(oddBodies(transcript), fc.constantFrom(...NAMES), async (input, client) => {
        const outcome = await secateur(['hook', client], { dataDir, input, env: CLIENT_ENV });
        expect(outcome).toMatchObject({ code: 0, stderr: '' });
        expect(typeof JSON.parse(outcome.stdout)).toBe('object');
      }),
      { numRuns: PROCESS_RUNS },
    );
  });

  it('[A2] [A5] secateur hook and POST /hooks/CLIENT read the end of a transcript of 100 MB', {
    timeout: 60_000,
  }, async () => {
    const body = JSON.stringify(bashEvent(TEST_RUN, { transcript_path: hugeTranscript() }));
    const env = { SECATEUR_HOOK_TIMEOUT_MS: '20000', ...CLIENT_ENV };
    const { code, stdout } = await secateur(['hook', 'claude-code'], { input: body, env });
    const served = await fetch(`${server.url}/hooks/claude-code`, { method: 'POST', body });
    for (const said of [stdout, await served.text()]) expect(said).toContain('not ok 301');
    expect(code).toBe(0);
  });
});

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeCode } from '../../../../packages/secateur/src/servers/hooks/clients/claude-code.ts';
import { HOOK_CLIENTS } from '../../../../packages/secateur/src/servers/hooks/clients.ts';
import { answerEvent, type HookDeps } from '../../../../packages/secateur/src/servers/hooks/hook.ts';
import { hookRoutes } from '../../../../packages/secateur/src/servers/hooks/routes.ts';
import {
  type EventFiles,
  eventFiles,
  sentEntries,
} from '../../../../packages/secateur/src/servers/hooks/transcript.ts';
import {
  createPeerUserCheck,
  createStrictPeerUserCheck,
} from '../../../../packages/serving/src/wire/http-host/guard.ts';
import { type HttpHostOptions, serveHttp } from '../../../../packages/serving/src/wire/http-host.ts';
import { postToSocket, serveSocket } from '../../../../packages/serving/src/wire/socket.ts';
import { hashToken, writeTokenFile } from '../../../../packages/serving/src/wire/token-file.ts';
import { Tokens } from '../../../../packages/serving/src/wire/tokens.ts';
import { handClock } from '../../../support/hand-clock.ts';
import {
  bashEvent,
  claudeTranscript,
  readEvent,
  SOURCE,
  TEST_RUN,
  temporaryFile,
  testHook,
  userSays,
} from '../../../support/hook-events.ts';
import { waitingPruner } from '../../../support/pruner.ts';

const QUESTION = 'How long is the delay of retryDelay for each attempt?';
const SECRET = 'sk-a-key-of-the-user';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'secateur-event-files-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A read of a file, whose cut depends on the question in the transcript. */
const asking = () => readEvent(SOURCE, { transcript_path: claudeTranscript(userSays(QUESTION)) });

/** A command whose whole output is in a file. */
const persisted = (persistedOutputPath: string) =>
  bashEvent('', { tool_response: { stdout: 'the beginning', stderr: '', persistedOutputPath } });

const answerOf = async (event: object, parts: HookDeps) =>
  withoutIds(JSON.stringify(await answerEvent(claudeCode, event, parts)));
const withoutIds = (text: string) => text.replaceAll(/prn_\w+/g, 'prn_');

describe('files that a hook event refers to', () => {
  it('[X21] a hook opens files depending on the access: all, transcripts only, or none', async () => {
    const [all, transcripts, nothing] = await Promise.all(
      (['all', 'transcripts', 'nothing'] as const).map((access) => answerOf(asking(), testHook({ access }))),
    );
    expect(all).toContain('return 100 * 2 ** attempt;');
    expect(transcripts).toBe(all);
    expect(nothing).not.toBe(all);
    const output = temporaryFile('output.txt', TEST_RUN);
    expect(await answerOf(persisted(output), testHook())).toContain('not ok 301');
    for (const access of ['transcripts', 'nothing'] as const)
      expect(await answerOf(persisted(output), testHook({ access })), access).toBe('{}');
  });

  it('[X21] a hook opens only files in the folders of the client, and opens no links, pipes or devices', () => {
    const home = folder();
    const outside = join(home, 'id_ed25519');
    writeFileSync(outside, SECRET, { mode: 0o600 });
    for (const client of HOOK_CLIENTS) {
      const folders = client.folders?.({ env: {}, homeDir: home }) ?? { transcripts: [] };
      const own = [...folders.transcripts, ...(folders.outputs ?? [])].filter((each) =>
        each.startsWith(home),
      );
      expect(own, client.name).not.toEqual([]);
      for (const each of own) {
        expect(openedIn(each, outside, eventFiles(folders, { access: 'all' })), client.name).toEqual([
          'session.jsonl',
        ]);
        rmSync(each, { recursive: true });
      }
    }
  });

  it('[X21] a client can send its last messages instead of a transcript, and the hook reads only the newest', async () => {
    const entries = [{ kind: 'user', text: QUESTION }];
    const expected = await answerOf(asking(), testHook());
    const closed = testHook({ access: 'nothing' });
    expect(await answerOf(readEvent(SOURCE, { entries }), closed)).toBe(expected);
    const many = Array.from({ length: 600 }, () => ({ kind: 'result', id: 'x', text: 'noise' }));
    expect(await answerOf(readEvent(SOURCE, { entries: [...entries, ...many] }), closed)).not.toBe(expected);
    expect(await answerOf(readEvent(SOURCE, { entries: [...many, ...entries] }), closed)).toBe(expected);
    const huge = [{ kind: 'result', id: 'x', text: 'x'.repeat(5_000_000) }, ...entries];
    expect(await answerOf(readEvent(SOURCE, { entries: huge }), closed)).toBe(expected);
    for (const strange of ['x', 3, [null, 3, 'x', {}, { kind: 'user' }, { kind: 'call', id: 3 }]])
      expect(await answerOf(bashEvent(TEST_RUN, { entries: strange }), closed)).toContain('prn_');
  });

  it('[X21] [P52] sentEntries keeps the time of results and the compactions that a client sends', () => {
    const entries = [
      { kind: 'result', id: 'x', text: 'old', at: 1 },
      { kind: 'compaction' },
      { kind: 'result', id: 'y', text: 'new', at: 'soon' },
    ];
    expect(sentEntries({ entries })).toEqual([
      entries[0],
      { kind: 'compaction' },
      { kind: 'result', id: 'y', text: 'new' },
    ]);
  });
});

describe('POST /hooks/CLIENT', () => {
  const serve = async (options: Partial<HttpHostOptions> = {}, parts: HookDeps = testHook()) => {
    const routes = hookRoutes(parts);
    const host = await serveHttp({ host: '127.0.0.1', port: 0, routes, closeGraceMs: 100, ...options });
    onTestFinished(() => host.close());
    return async (event: unknown, headers: Record<string, string> = {}) => {
      const body = typeof event === 'string' ? event : JSON.stringify(event);
      const answer = await fetch(`${host.url}/hooks/claude-code`, { method: 'POST', headers, body });
      return { status: answer.status, text: withoutIds(await answer.text()) };
    };
  };

  it.runIf(process.platform === 'linux')(
    '[X21] POST /hooks/CLIENT reads the transcript for the server user on loopback, but no stored output',
    async () => {
      const expected = await answerOf(asking(), testHook());
      for (const options of [{}, { bearerToken: 'a-secret' }, { loopbackUsers: 'any' }] as const) {
        const post = await serve(options);
        const headers = { authorization: 'Bearer a-secret' };
        expect(await post(asking(), headers)).toEqual({ status: 200, text: expected });
        const output = temporaryFile('output.txt', TEST_RUN);
        expect(await post(persisted(output), headers)).toEqual({ status: 200, text: '{}' });
        expect(await post(persisted('/proc/self/environ'), headers)).toEqual({ status: 200, text: '{}' });
      }
    },
  );

  it('[X21] POST /hooks/CLIENT opens no file for a forwarded request', async () => {
    const expected = await answerOf(asking(), testHook({ access: 'nothing' }));
    const post = await serve();
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP', 'Via'])
      expect((await post(asking(), { [name]: '127.0.0.1' })).text, name).toBe(expected);
    for (const options of [{ tlsTerminated: true }, { trustedProxies: ['127.0.0.1'] }])
      expect((await (await serve(options))(asking())).text).toBe(expected);
  });

  it('[X21] POST /hooks/CLIENT opens no file for a connection of another or unknown user', async () => {
    const { strange, request } = await connectedRequest();
    expect(await strange({ platform: 'linux', uid: process.getuid?.() })(request)).toBe(true);
    expect(await strange({ platform: 'linux', uid: 4_000_000 })(request)).toBe(false);
    expect(await strange({ platform: 'linux', uid: undefined })(request)).toBe(false);
    expect(await strange({ platform: 'darwin', uid: process.getuid?.() })(request)).toBe(false);
  });

  it('[X21] [T8] POST /hooks/CLIENT opens no file for a named token, and returns 404 to a token that may not prune', async () => {
    const grants = [
      { name: 'alice', sha256: hashToken('alice-token') },
      { name: 'bob', sha256: hashToken('bob-token'), denyTools: ['prune_text'] },
      { name: 'carol', sha256: hashToken('carol-token'), allowTools: ['recover_text'] },
    ];
    const path = join(folder(), 'tokens.json');
    await writeTokenFile(path, grants);
    const tokens = await Tokens.open({ path, clock: handClock(), onUnreadable: () => {} });
    onTestFinished(() => tokens.close());
    const post = await serve({ tokens });
    const as = (name: string) => ({ authorization: `Bearer ${name}-token` });
    const unread = await answerOf(asking(), testHook({ access: 'nothing' }));
    expect(await post(asking(), as('alice'))).toEqual({ status: 200, text: unread });
    for (const name of ['bob', 'carol'])
      expect(await post(asking(), as(name)), name).toEqual({ status: 404, text: '{}' });
    expect(await post(asking(), as('nobody'))).toEqual({ status: 401, text: '{}' });
  });

  it('[X23] POST /hooks/CLIENT returns 413 and {} for a body above the size limit', async () => {
    const post = await serve({ maxBodyBytes: 2000 });
    expect(await post(bashEvent(TEST_RUN))).toEqual({ status: 413, text: '{}' });
    expect(await post(bashEvent('x'.repeat(500_000)))).toEqual({ status: 413, text: '{}' });
    expect(await post('{')).toEqual({ status: 200, text: '{}' });
  });

  it('[X23] [X6] POST /hooks/CLIENT returns 503 and {} for an event that would exceed the limit of held bytes', async () => {
    const pruner = waitingPruner();
    const post = await serve({ maxHeldBytes: 30_000 }, testHook({ pruner: async () => pruner }));
    const first = post(bashEvent(TEST_RUN)).catch(() => undefined);
    await expect.poll(() => pruner.waiting).toBe(1);
    expect(await post(bashEvent(TEST_RUN))).toEqual({ status: 503, text: '{}' });
    void first;
  });
});

it('[X21] the socket of a session opens transcripts and stored outputs', async () => {
  const path = join(folder(), 'hook.sock');
  const socket = await serveSocket({
    path,
    routes: hookRoutes(testHook()),
    maxCalls: 4,
    accepts: () => true,
  });
  onTestFinished(() => socket?.close());
  const until = { remainingMs: () => 20_000, passed: () => false };
  const post = async (event: object) => {
    const body = Buffer.from(JSON.stringify(event));
    const call = { socketPath: path, path: '/hooks/claude-code', headers: {}, body, until };
    const reply = await postToSocket({ ...call, acceptedWithinMs: 20_000 });
    return reply.kind === 'answered' ? withoutIds(reply.body) : reply.kind;
  };
  expect(await post(asking())).toBe(await answerOf(asking(), testHook()));
  expect(await post(persisted(temporaryFile('output.txt', TEST_RUN)))).toContain('not ok 301');
});

/** Fills a client's folder with files of every kind, and says which of them, and of other files, are opened. */
function openedIn(inside: string, outside: string, files: EventFiles): string[] {
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(inside, 'session.jsonl'), '{}');
  symlinkSync(outside, join(inside, 'link.jsonl'));
  symlinkSync('/dev/zero', join(inside, 'device.jsonl'));
  symlinkSync('/', join(inside, 'root'));
  execFileSync('mkfifo', [join(inside, 'pipe.jsonl')]);
  const here = ['session.jsonl', 'link.jsonl', 'device.jsonl', 'pipe.jsonl', `root${outside}`, '..', '.'];
  const paths = [
    ...here.map((name) => join(inside, name)),
    ...[outside, '/proc/self/environ', '/proc/self/pagemap', '/etc/passwd', '../../../id_ed25519', ''],
  ];
  return paths.flatMap((path) => {
    const opened = [files.openTranscript(path), files.openOutput(path)].filter((file) => file !== undefined);
    for (const file of opened) file.close();
    return opened.length > 0 ? [relative(inside, path)] : [];
  });
}

/** A request on a real loopback connection of this process, and the check under other circumstances. */
async function connectedRequest() {
  type Check = ReturnType<typeof createStrictPeerUserCheck>;
  let request: Parameters<Check>[0] | undefined;
  const host = await serveHttp({
    host: '127.0.0.1',
    port: 0,
    routes: [
      {
        kind: 'raw',
        path: '/',
        handle: async (exchange) => {
          request = exchange.request;
          exchange.response.flushHeaders();
        },
      },
    ],
    closeGraceMs: 10,
  });
  onTestFinished(() => host.close());
  await fetch(host.url, { method: 'POST' });
  if (request === undefined) throw new Error('no request came');
  const strange = ({ platform, uid }: { platform: NodeJS.Platform; uid: number | undefined }) =>
    createStrictPeerUserCheck(createPeerUserCheck(platform, uid), {
      platform,
      ownUid: uid,
      isBehindProxy: false,
    });
  return { strange, request };
}

import { get } from 'node:http';
import { expect, it } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import { signIn } from '../../../../packages/secateur/src/servers/gateway/sign-in.ts';
import { SignInStore } from '../../../../packages/secateur/src/servers/gateway/sign-in-store.ts';
import { browse, type OAuthServer, startOAuthServer } from '../../../support/oauth-server.ts';
import { temporaryFolder } from '../../../support/secateur-cli.ts';
import { describeWith } from '../../../support/system-parts.ts';

const KEY = { server: 'tickets' };

/** Begins a sign-in, up to the address the user is shown. */
async function begin(
  oauth: Pick<OAuthServer, 'mcpUrl'>,
  { scope, signal = AbortSignal.timeout(60_000) }: { scope?: string; signal?: AbortSignal } = {},
) {
  const store = new SignInStore(temporaryFolder());
  await store.write(KEY, { expiresAt: 7 });
  let address = new URL('http://nowhere');
  const outcome = signIn(
    KEY,
    { url: oauth.mcpUrl, scope },
    { store, clock: systemClock, signal, show: (url) => (address = url) },
  ).then(
    () => 'signed in',
    (error: Error) => error.message,
  );
  await expect.poll(() => address.hostname).toBe('127.0.0.1');
  const callback = address.searchParams.get('redirect_uri') ?? '';
  const state = address.searchParams.get('state') ?? '';
  return { address, callback, state, outcome, kept: () => store.read(KEY) };
}

/** Returns status and text of the page. The path is sent as written. */
function visit(origin: string, path: string): Promise<[number | undefined, string]> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    get({ hostname, port, path }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      answer.once('end', () => resolve([answer.statusCode, text]));
    }).once('error', reject);
  });
}

describeWith(['oidc-provider'], 'sign-in in a browser', () => {
  it('[T1] signIn stores the tokens after the user has approved, and shows a page with the result', async () => {
    const oauth = await startOAuthServer(3600);
    const { address, outcome, kept } = await begin(oauth);
    expect(await browse(address.href)).toBe(200);
    expect(await outcome).toBe('signed in');
    expect((await kept()).tokens).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) });
  });

  it('[T2] signIn ignores a callback that does not belong to this sign-in', async () => {
    const oauth = await startOAuthServer(3600);
    const { address, callback, state, outcome } = await begin(oauth);
    const others = [
      '/callback?code=x',
      `/callback?code=x&state=${'A'.repeat(state.length)}`,
      `/callback?code=x&state=${encodeURIComponent('é'.repeat(state.length))}`,
      '//',
    ];
    for (const path of others)
      expect(await visit(callback, path)).toEqual([400, 'This is no answer Sécateur waits for.\n']);
    expect(await browse(address.href)).toBe(200);
    expect(await outcome).toBe('signed in');
  });

  it('[T1] signIn ends if the user denies access or the server returns no code, and keeps the previous sign-in', async () => {
    const oauth = await startOAuthServer(3600);
    const refused = await begin(oauth);
    const answer = `/callback?error=access_denied&state=${refused.state}`;
    expect(await visit(refused.callback, answer)).toEqual([
      200,
      'Sécateur has the answer. This page can be closed.\n',
    ]);
    expect(await refused.outcome).toBe('not signed in: access_denied');
    expect(await refused.kept()).toEqual({ expiresAt: 7 });
    const empty = await begin(oauth);
    await visit(empty.callback, `/callback?state=${empty.state}`);
    expect(await empty.outcome).toBe('not signed in: the server gave no code');
  });

  it('[T1] signIn ends if the user does not approve in time, and closes its callback address', async () => {
    const oauth = await startOAuthServer(3600);
    const time = new AbortController();
    const { callback, state, outcome } = await begin(oauth, { signal: time.signal });
    time.abort(new DOMException('', 'TimeoutError'));
    expect(await outcome).toBe('not signed in: the request was not approved in time');
    await expect(visit(callback, `/callback?code=x&state=${state}`)).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    });
  });

  it('[T1] signIn requests the configured scope', async () => {
    const oauth = await startOAuthServer(3600);
    const { address, outcome } = await begin(oauth, { scope: 'mcp offline_access' });
    expect(address.searchParams.get('scope')).toBe('mcp offline_access');
    expect(await browse(address.href)).toBe(200);
    expect(await outcome).toBe('signed in');
  });
});

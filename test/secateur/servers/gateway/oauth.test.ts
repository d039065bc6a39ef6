import { expect, it } from 'vitest';
import { oauthCredentials } from '../../../../packages/secateur/src/servers/gateway/oauth.ts';
import { signIn } from '../../../../packages/secateur/src/servers/gateway/sign-in.ts';
import { SignInStore } from '../../../../packages/secateur/src/servers/gateway/sign-in-store.ts';
import { handClock } from '../../../support/hand-clock.ts';
import { browse, type OAuthServer, startOAuthServer } from '../../../support/oauth-server.ts';
import { temporaryFolder } from '../../../support/secateur-cli.ts';
import { describeWith } from '../../../support/system-parts.ts';

const KEY = { server: 'tickets', user: undefined };
const HOUR_S = 3600;

/** Credentials of a user who has signed in, for an hour. */
async function signedIn() {
  const oauth = await startOAuthServer(HOUR_S);
  const store = new SignInStore(temporaryFolder());
  const clock = handClock();
  const signal = AbortSignal.timeout(60_000);
  const agreed: Promise<number>[] = [];
  const show = (url: URL) => void agreed.push(browse(url.href));
  await signIn(KEY, { url: oauth.mcpUrl }, { store, clock, signal, show });
  expect(await Promise.all(agreed)).toEqual([200]);
  const { tokens, expiresAt } = await store.read(KEY);
  expect(expiresAt).toBe(clock.now() + HOUR_S * 1000);
  return { oauth, store, clock, ...credentialsFor(oauth, { store, clock }), first: tokens };
}

function credentialsFor(
  { mcpUrl }: Pick<OAuthServer, 'mcpUrl'>,
  parts: { store: SignInStore; clock: ReturnType<typeof handClock>; user?: string },
) {
  const credentials = oauthCredentials('tickets', { url: mcpUrl }, { ...parts, user: () => parts.user });
  const header = async () => (await credentials.headers()).authorization;
  return { credentials, header };
}

describeWith(['oidc-provider'], 'OAuth credentials of a user', () => {
  it('[T1] `header` returns a stored token until a minute before it expires, and then refreshes it', async () => {
    const { clock, store, header, first } = await signedIn();
    clock.advance((HOUR_S - 60) * 1000);
    expect(await header()).toBe(`Bearer ${first?.access_token}`);
    clock.advance(1);
    const renewed = await header();
    expect(renewed).not.toBe(`Bearer ${first?.access_token}`);
    const kept = await store.read(KEY);
    expect(renewed).toBe(`Bearer ${kept.tokens?.access_token}`);
    expect(kept.expiresAt).toBe(clock.now() + HOUR_S * 1000);
    expect(await header()).toBe(renewed);
  });

  it('[T1] `header` returns a token without an expiry unchanged', async () => {
    const { clock, store, header, first } = await signedIn();
    if (first === undefined) throw new Error('signed in');
    await store.write(KEY, { tokens: first });
    clock.advance(1e12);
    expect(await header()).toBe(`Bearer ${first.access_token}`);
  });

  it('[T1] `header` returns a valid token although the OAuth server does not respond', async () => {
    const { clock, oauth, header, first } = await signedIn();
    clock.advance(HOUR_S * 1000 - 1);
    for (const status of [0, 503]) {
      oauth.tokenAnswers.push({ status, json: {} });
      expect(await header()).toBe(`Bearer ${first?.access_token}`);
    }
    clock.advance(1);
    for (const status of [0, 500]) {
      oauth.tokenAnswers.push({ status, json: {} });
      await expect(header()).rejects.toMatchObject({
        code: 'upstream_unavailable',
        message: 'The sign-in could not be renewed: its server does not answer',
      });
    }
    expect(await header()).not.toBe(`Bearer ${first?.access_token}`);
  });

  it('[T1] `header` rejects if the server refuses to refresh the sign-in, even if the token is still valid', async () => {
    const { clock, oauth, store, header, first } = await signedIn();
    const { client } = await store.read(KEY);
    await oauth.revoke(first?.refresh_token ?? '', client?.client_id ?? '');
    clock.advance(HOUR_S * 1000 - 1);
    await expect(header()).rejects.toMatchObject({
      code: 'sign_in_required',
      message: 'The server no longer accepts this sign-in',
    });
  });

  it('[T1] `header` returns a token that cannot be refreshed until it expires', async () => {
    const { clock, store, header, first } = await signedIn();
    const { refresh_token: _, ...tokens } = first ?? { access_token: '', token_type: '' };
    await store.write(KEY, { tokens, expiresAt: clock.now() + 1 });
    expect(await header()).toBe(`Bearer ${tokens.access_token}`);
    clock.advance(1);
    await expect(header()).rejects.toMatchObject({
      code: 'sign_in_required',
      message: 'The sign-in to this server has ended',
    });
  });

  it('[T1] `renew` refreshes a refused token, unless another call has refreshed it', async () => {
    const { credentials, store, first } = await signedIn();
    const refused = { authorization: `Bearer ${first?.access_token}` };
    expect(await credentials.renew(refused)).toBe(true);
    const second = (await store.read(KEY)).tokens;
    expect(second?.access_token).not.toBe(first?.access_token);
    expect(await credentials.renew(refused)).toBe(true);
    expect((await store.read(KEY)).tokens).toEqual(second);
  });

  it('[T1] `header` rejects for a user who has not signed in, with the command that signs in', async () => {
    const parts = { store: new SignInStore(temporaryFolder()), clock: handClock() };
    const nobody = credentialsFor({ mcpUrl: 'http://127.0.0.1:1/' }, parts);
    await expect(nobody.header()).rejects.toMatchObject({
      code: 'sign_in_required',
      message: 'Nobody has signed in to this server',
      hint: 'Run: secateur gateway login tickets',
      data: { server: 'tickets', command: 'secateur gateway login tickets' },
    });
    const alice = credentialsFor({ mcpUrl: 'http://127.0.0.1:1/' }, { ...parts, user: 'alice' });
    await parts.store.write(KEY, { tokens: { access_token: 'everybody', token_type: 'Bearer' } });
    await expect(alice.header()).rejects.toMatchObject({
      hint: 'Run: secateur gateway login tickets --user alice',
    });
    expect(alice.credentials.refusal?.()).toMatchObject({
      code: 'sign_in_required',
      message: 'The server no longer accepts this sign-in',
      data: { command: 'secateur gateway login tickets --user alice' },
    });
    expect(await nobody.header()).toBe('Bearer everybody');
  });
});

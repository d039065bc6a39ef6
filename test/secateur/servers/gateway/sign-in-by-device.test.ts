import { expect, it } from 'vitest';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import { signInByDevice } from '../../../../packages/secateur/src/servers/gateway/sign-in.ts';
import { SignInStore } from '../../../../packages/secateur/src/servers/gateway/sign-in-store.ts';
import { enterDeviceCode, type OAuthServer, startOAuthServer } from '../../../support/oauth-server.ts';
import { temporaryFolder } from '../../../support/secateur-cli.ts';
import { describeWith } from '../../../support/system-parts.ts';

const KEY = { server: 'tickets' };

/** Signs in. The test supplies the action that replaces each wait. */
async function signIn(oauth: OAuthServer, turns: readonly ((address: string) => Promise<void>)[]) {
  const store = new SignInStore(temporaryFolder());
  await store.write(KEY, { expiresAt: 7 });
  const waits: number[] = [];
  let address = '';
  const outcome = await signInByDevice(
    KEY,
    { url: oauth.mcpUrl },
    {
      store,
      clock: systemClock,
      signal: AbortSignal.timeout(60_000),
      show: ({ url, userCode }) => {
        address = url.href;
        expect(userCode).toMatch(/^\S{4,}$/);
      },
      wait: async (ms) => {
        waits.push(ms);
        await turns[waits.length - 1]?.(address);
      },
    },
  ).then(
    () => 'signed in',
    (error: Error) => error.message,
  );
  return { outcome, waits, kept: await store.read(KEY) };
}

const nothing = async () => {};
const yes = (address: string) => enterDeviceCode(address, 'yes');
const no = (address: string) => enterDeviceCode(address, 'no');

describeWith(['oidc-provider'], 'sign-in with a code on another device', () => {
  it('[T1] signInByDevice waits until the user approves, with the interval that the server requests', async () => {
    const oauth = await startOAuthServer(3600);
    oauth.user = 'carol';
    const { outcome, waits, kept } = await signIn(oauth, [nothing, yes]);
    expect(outcome).toBe('signed in');
    expect(waits).toEqual([5000, 5000]);
    expect(kept.tokens).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) });
  });

  it('[T1] signInByDevice waits longer if the server requests it or is unavailable for a moment', async () => {
    const oauth = await startOAuthServer(3600);
    oauth.tokenAnswers.push({ status: 400, json: { error: 'slow_down' } });
    oauth.tokenAnswers.push({ status: 0, json: {} });
    const { outcome, waits } = await signIn(oauth, [nothing, nothing, yes]);
    expect(outcome).toBe('signed in');
    expect(waits).toEqual([5000, 10_000, 20_000]);
  });

  it('[T1] signInByDevice ends if the user denies access or the code has expired, and keeps the previous sign-in', async () => {
    const oauth = await startOAuthServer(3600);
    const refused = await signIn(oauth, [no]);
    expect(refused.outcome).toBe('not signed in: access was denied');
    expect(refused.kept).toEqual({ expiresAt: 7 });
    oauth.tokenAnswers.push({ status: 400, json: { error: 'expired_token' } });
    expect((await signIn(oauth, [nothing])).outcome).toBe(
      'not signed in: the request was not approved in time',
    );
  });

  it('[T1] signInByDevice reports that a server offers no device codes', async () => {
    const oauth = await startOAuthServer(3600, { deviceFlow: false });
    expect((await signIn(oauth, [])).outcome).toBe('this server offers no sign-in with a code');
  });
});

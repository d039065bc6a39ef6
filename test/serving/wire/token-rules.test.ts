import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { hashToken, type TokenGrant, writeTokenFile } from '../../../packages/serving/src/wire/token-file.ts';
import {
  allowsTool,
  CallLimits,
  type CallMeter,
  claimedTokenName,
  constantTimeEquals,
  hasPageCookie,
  holderOf,
  pageCookie,
  Tokens,
} from '../../../packages/serving/src/wire/tokens.ts';
import { handClock } from '../../support/hand-clock.ts';

const ALICE: TokenGrant = { name: 'alice', sha256: hashToken('a-token') };
const BOB: TokenGrant = { name: 'bob', sha256: hashToken('b-token') };

async function openTokens(grants: readonly TokenGrant[] | undefined, meter?: CallMeter): Promise<Tokens> {
  const path = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'tokens.json');
  if (grants !== undefined) await writeTokenFile(path, grants);
  const tokens = await Tokens.open({ path, clock: handClock(), meter, onUnreadable: () => {} });
  onTestFinished(() => tokens.close());
  return tokens;
}

const withCookie = (cookie: string | undefined) => ({ headers: cookie === undefined ? {} : { cookie } });
const cookieOf = (holder: Parameters<typeof pageCookie>[0]) => pageCookie(holder).split(';')[0] ?? '';

it.each([
  [{}, true],
  [{ allow: ['read'] }, true],
  [{ allow: ['rea'] }, false],
  [{ allow: ['rea*'] }, true],
  [{ allow: ['*'] }, true],
  [{ allow: [] }, false],
  [{ allow: ['grep', 'read'] }, true],
  [{ deny: ['read'] }, false],
  [{ deny: ['re*'] }, false],
  [{ deny: ['reading*', 'rea', 'ead*'] }, true],
  [{ allow: ['read'], deny: ['*'] }, false],
])('[T8] allowsTool with the rules %j returns %s for the tool read', (rules, allowed) => {
  expect(allowsTool(rules, 'read')).toBe(allowed);
});

it('[T7] CallLimits counts calls and bytes per minute of a token separately', async () => {
  const clock = handClock(Date.UTC(2026, 0, 1, 0, 0, 20));
  const limits = new CallLimits(clock, undefined);
  const limited = { ...ALICE, callsPerMinute: 3, bytesPerMinute: 100 };
  expect(await limits.admit(limited, 60)).toBeUndefined();
  expect(await limits.admit(limited, 40)).toBeUndefined();
  expect(await limits.admit(limited, 1)).toEqual({
    message: 'The token alice may send 100 bytes per minute',
    retryAfterS: 40,
  });
  expect(await limits.admit({ ...BOB, bytesPerMinute: 100 }, 100)).toBeUndefined();
  clock.advance(39_999);
  expect(await limits.admit(limited, 0)).toEqual({
    message: 'The token alice may make 3 calls per minute',
    retryAfterS: 1,
  });
  clock.advance(1);
  expect(await limits.admit(limited, 100)).toBeUndefined();
});

it('[T7] CallLimits counts concurrent calls when they arrive, except refused calls', async () => {
  const limits = new CallLimits(handClock(), undefined);
  const limited = { ...ALICE, concurrentCalls: 2, callsPerMinute: 3 };
  const busy = { message: 'The token alice has 2 calls running already', retryAfterS: 1 };
  const together = [limits.admit(limited, 0), limits.admit(limited, 0), limits.admit(limited, 0)];
  expect(await Promise.all(together)).toEqual([undefined, undefined, busy]);
  limits.release(limited);
  expect(await limits.admit(limited, 0)).toBeUndefined();
  limits.release(limited);
  // A call above the limit per minute does not take the second concurrent place.
  expect(await limits.admit(limited, 0)).toMatchObject({ message: expect.stringContaining('per minute') });
  expect(await limits.admit({ ...ALICE, concurrentCalls: 2 }, 0)).toBeUndefined();
  expect(await limits.admit(limited, 0)).toEqual(busy);
  for (let ended = 0; ended < 5; ended += 1) limits.release(limited);
  const two = [
    limits.admit({ ...ALICE, concurrentCalls: 2 }, 0),
    limits.admit({ ...ALICE, concurrentCalls: 2 }, 0),
  ];
  expect(await Promise.all(two)).toEqual([undefined, undefined]);
  expect(await limits.admit(limited, 0)).toEqual(busy);
});

it('[T7] CallLimits uses the shared meter of several processes, and uses its own count if the meter fails', async () => {
  const counted: unknown[] = [];
  let answer = async () => 1;
  const meter: CallMeter = {
    add: (counter, amount) => {
      counted.push([counter, amount]);
      return answer();
    },
  };
  const limits = new CallLimits(handClock(120_000), meter);
  const limited = { ...ALICE, callsPerMinute: 2 };
  for (let call = 0; call < 4; call += 1) expect(await limits.admit(limited, 9)).toBeUndefined();
  expect(counted[0]).toEqual(['alice:calls:2', 1]);
  answer = async () => 3;
  expect(await limits.admit({ ...BOB, bytesPerMinute: 2 }, 1)).toMatchObject({ retryAfterS: 60 });
  expect(counted.at(-1)).toEqual(['bob:bytes:2', 1]);
  answer = () => Promise.reject(new Error('gone'));
  expect(await limits.admit(limited, 0)).toMatchObject({ retryAfterS: 60 });
  expect(await limits.admit({ ...BOB, callsPerMinute: 1 }, 0)).toBeUndefined();
});

it('[T4] `find` returns the token with the hash of the given value, and undefined for an invalid value', async () => {
  const tokens = await openTokens([{ name: 'nothing', sha256: hashToken('x') }, ALICE, BOB]);
  expect([tokens.required, tokens.find('a-token'), tokens.find('b-token')]).toEqual([true, ALICE, BOB]);
  for (const wrong of [undefined, '', 'a-toke', ALICE.sha256]) expect(tokens.find(wrong)).toBeUndefined();
  const none = await openTokens(undefined);
  expect([none.required, none.find('a-token')]).toEqual([false, undefined]);
  expect(none.findPageUser(withCookie(cookieOf(holderOf(ALICE))))).toBeUndefined();
});

it('[T4] tokens.current() is the token of the running call, and undefined outside of a call', async () => {
  const closed: string[] = [];
  const meter = { add: async () => 1, close: () => closed.push('meter') };
  const tokens = await openTokens([ALICE, BOB], meter);
  const seen: unknown[] = [];
  const call = async () => {
    await Promise.resolve();
    seen.push(tokens.current());
  };
  await Promise.all([tokens.serve(ALICE, call), tokens.serve(BOB, call)]);
  expect([...seen, tokens.current()]).toEqual([ALICE, BOB, undefined]);
  tokens.close();
  expect(closed).toEqual(['meter']);
  for (const other of [{ add: async () => 1 }, undefined]) (await openTokens([ALICE], other)).close();
});

it('[T4] pageCookie is hidden from scripts and other sites, and contains no token', () => {
  const cookie = pageCookie(holderOf(ALICE));
  expect(cookie).toMatch(/^secateur_page=alice:[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(pageCookie(holderOf(ALICE), { isSecure: true })).toBe(`${cookie}; Secure`);
  expect(cookie).not.toContain(ALICE.sha256);
  expect(pageCookie({ secret: 'sesame' })).toMatch(/^secateur_page=[\w-]{43}; /);
  expect([constantTimeEquals('a', 'a'), constantTimeEquals('a', 'b'), constantTimeEquals('a', 'aa')]).toEqual(
    [true, false, false],
  );
});

it('[T4] findPageUser accepts the cookie of one token, and refuses another name, another secret or a missing proof', async () => {
  const tokens = await openTokens([ALICE, BOB]);
  const [alice, bob] = [cookieOf(holderOf(ALICE)), cookieOf(holderOf(BOB))];
  expect(tokens.findPageUser(withCookie(`theme=dark; ${alice} ; other=1`))).toEqual(ALICE);
  expect(tokens.findPageUser(withCookie(bob))).toEqual(BOB);
  const wrong = [
    undefined,
    '',
    'secateur_page=',
    'secateur_page=alice',
    'secateur_page=alice:',
    alice.replace('alice', 'bob'),
    alice.replace('alice', 'carol'),
    alice.replace('secateur_page', 'secateur_pages'),
    alice.slice(0, -1),
    cookieOf({ secret: ALICE.sha256 }),
    cookieOf({ name: 'alice', secret: 'a-token' }),
  ];
  for (const cookie of wrong) expect(tokens.findPageUser(withCookie(cookie)), cookie).toBeUndefined();
  expect(claimedTokenName(withCookie('secateur_page=alice:x'))).toBe('alice');
  expect(claimedTokenName(withCookie('secateur_page=proof'))).toBeUndefined();
  expect(hasPageCookie(withCookie(undefined), { secret: 'sesame' })).toBe(false);
  expect(hasPageCookie(withCookie(cookieOf({ secret: 'sesame' })), { secret: 'sesame' })).toBe(true);
});

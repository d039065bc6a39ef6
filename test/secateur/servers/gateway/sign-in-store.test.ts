import { mkdtempSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { draftSignIn, SignInStore } from '../../../../packages/secateur/src/servers/gateway/sign-in-store.ts';

const newFolder = () => join(mkdtempSync(join(tmpdir(), 'secateur-')), 'sign-ins');
const signIn = (token: string) => ({ tokens: { access_token: token, token_type: 'Bearer' }, expiresAt: 5 });

it('[T1] [T2] SignInStore stores the sign-in of each user at each server in a file that only the owner can read', async () => {
  const folder = newFolder();
  const store = new SignInStore(folder);
  await store.write({ server: 'tickets' }, signIn('everybody'));
  await store.write({ server: 'tickets', user: 'alice' }, signIn('alice'));
  expect(await store.read({ server: 'tickets' })).toEqual(signIn('everybody'));
  expect(await store.read({ server: 'tickets', user: 'alice' })).toEqual(signIn('alice'));
  expect(await store.read({ server: 'tickets', user: 'bob' })).toEqual({});
  expect(readdirSync(folder).sort()).toEqual(['tickets%40alice.json', 'tickets.json']);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(await store.remove({ server: 'tickets', user: 'alice' })).toBe(true);
  expect(await store.remove({ server: 'tickets', user: 'alice' })).toBe(false);
  expect(await store.read({ server: 'tickets' })).toEqual(signIn('everybody'));
});

it('[T2] SignInStore separates a server whose name contains an @ from a user of another server', async () => {
  const store = new SignInStore(newFolder());
  const keys = [
    { server: 'a@b' },
    { server: 'a', user: 'b' },
    { server: 'a%40b' },
    { server: 'a@b', user: 'c' },
    { server: 'a', user: 'b@c' },
  ];
  for (const key of keys) await store.write(key, signIn(JSON.stringify(key)));
  for (const key of keys) expect(await store.read(key)).toEqual(signIn(JSON.stringify(key)));
});

it('[X15] SignInStore keeps its files in its folder for any server and user name', async () => {
  const folder = newFolder();
  const store = new SignInStore(folder);
  const names = ['..', '../../etc/passwd', 'a/b', '.hidden', 'c:\\x', 'a.b', 'ab'];
  for (const server of names) await store.write({ server, user: '..' }, signIn(server));
  expect(readdirSync(folder)).toHaveLength(names.length);
  expect(readdirSync(folder).filter((name) => /[/\\]|^\.|\.\./.test(name))).toEqual([]);
  for (const server of names) expect(await store.read({ server, user: '..' })).toEqual(signIn(server));
});

it('[T1] SignInStore treats a file that cannot be parsed as not signed in', async () => {
  const folder = newFolder();
  const store = new SignInStore(folder);
  await store.write({ server: 'tickets' }, signIn('x'));
  writeFileSync(join(folder, 'tickets.json'), '{"tokens":');
  expect(await store.read({ server: 'tickets' })).toEqual({});
});

it('[T1] SignInStore runs tasks for one sign-in one after another, even in several processes and after a failure', async () => {
  const folder = newFolder();
  const [here, there] = [new SignInStore(folder), new SignInStore(folder)];
  await here.write({ server: 'tickets' }, {});
  const steps: string[] = [];
  const work = (name: string) => async () => {
    steps.push(`${name} begins`);
    await new Promise((resolve) => setTimeout(resolve, 60));
    steps.push(`${name} ends`);
    if (name === 'first') throw new Error('refused');
    return name;
  };
  const first = here.exclusively({ server: 'tickets' }, work('first'));
  const failed = expect(first).rejects.toThrow('refused');
  await expect.poll(() => steps.length).toBe(1);
  expect(await there.exclusively({ server: 'tickets' }, work('second'))).toBe('second');
  await failed;
  expect(steps).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
  expect(readdirSync(folder)).toEqual(['tickets.json']);
});

it('[T1] SignInStore takes over the lock of a killed process, but not the lock of a running process', async () => {
  const folder = newFolder();
  const store = new SignInStore(folder);
  await store.write({ server: 'old' }, {});
  const lock = join(folder, 'old.json.lock');
  writeFileSync(lock, '');
  let isDone = false;
  const waiting = store.exclusively({ server: 'old' }, async () => {
    isDone = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(isDone).toBe(false);
  const longAgo = new Date(Date.now() - 31_000);
  utimesSync(lock, longAgo, longAgo);
  await waiting;
  expect(isDone).toBe(true);
});

it('[T1] SignInStore rejects immediately if its folder is missing', async () => {
  const store = new SignInStore(newFolder());
  await expect(store.exclusively({ server: 'x' }, async () => {})).rejects.toMatchObject({ code: 'ENOENT' });
});

it('[T1] draftSignIn starts empty and keeps its changes', async () => {
  const draft = draftSignIn();
  expect(await draft.read()).toEqual({});
  await draft.write({ server: 'tickets' }, signIn('new'));
  expect(await draft.read()).toEqual(signIn('new'));
});

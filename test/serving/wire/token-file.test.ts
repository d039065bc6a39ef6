import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import {
  changeTokenFile,
  hashToken,
  isTokenName,
  newToken,
  readTokenFile,
  type TokenGrant,
  writeTokenFile,
} from '../../../packages/serving/src/wire/token-file.ts';

const ALICE: TokenGrant = { name: 'alice', sha256: hashToken('a-token') };

function tokensFile(text?: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'secateur-')), 'tokens.json');
  if (text !== undefined) writeFileSync(path, text);
  return path;
}

const readAs = (entry: unknown) => readTokenFile(tokensFile(JSON.stringify({ tokens: [ALICE, entry] })));

const WHOLE: TokenGrant = {
  name: `${'b'.repeat(61)}_.-`,
  sha256: hashToken('b-token'),
  created: '2026-01-01',
  callsPerMinute: 1,
  concurrentCalls: 2,
  bytesPerMinute: 3,
  servers: [],
  allowTools: ['read', 'grep*'],
  denyTools: ['bash'],
};

it('[T4] readTokenFile returns every rule that writeTokenFile wrote, and the file is readable JSON', async () => {
  const path = tokensFile();
  await writeTokenFile(path, [ALICE, WHOLE]);
  expect(await readTokenFile(path)).toEqual([ALICE, WHOLE]);
  expect(readFileSync(path, 'utf8')).toBe(`${JSON.stringify({ tokens: [ALICE, WHOLE] }, null, 2)}\n`);
});

it('[T4] readTokenFile returns undefined for a missing file or folder, and rejects for an unreadable file', async () => {
  const path = tokensFile('');
  expect(await readTokenFile(`${path}.gone`)).toBeUndefined();
  expect(await readTokenFile(join(path, 'below-a-file'))).toBeUndefined();
  const folder = `${path}.folder`;
  mkdirSync(folder);
  await expect(readTokenFile(folder)).rejects.toMatchObject({
    code: 'tokens_unreadable',
    message: `the tokens file ${folder} is a folder, not a regular file`,
  });
});

it.each([
  ['null', 'is not a list', 'has no list `tokens`'],
  ['{"tokens": {}}', 'an object for a list', 'has no list `tokens`'],
  ['{"tokens": [', 'half a file', 'is not JSON'],
])('[T4] readTokenFile refuses %s: %s', async (text, _, words) => {
  const path = tokensFile(text);
  await expect(readTokenFile(path)).rejects.toMatchObject({
    code: 'tokens_unreadable',
    message: `the tokens file ${path} ${words}`,
    hint: expect.stringMatching(
      /^Correct it, or restore a copy\. If you move it away, `secateur token add NAME`/,
    ),
  });
});

const NAME_WORDS = 'name must be 1 to 64 letters, digits, _ . -';
const HASH_WORDS = 'sha256 must be 64 hex digits';

it.each([
  [null, 'is not an object'],
  ['alice', 'is not an object'],
  [{ ...WHOLE, token: 'x' }, 'unknown key token'],
  [{ ...WHOLE, name: undefined }, NAME_WORDS],
  [{ ...WHOLE, name: null }, NAME_WORDS],
  [{ ...WHOLE, name: ['bob'] }, NAME_WORDS],
  [{ ...WHOLE, name: '' }, NAME_WORDS],
  [{ ...WHOLE, name: 'b'.repeat(65) }, NAME_WORDS],
  [{ ...WHOLE, name: 'b/c' }, NAME_WORDS],
  [{ ...WHOLE, name: 'alice:' }, NAME_WORDS],
  [{ ...WHOLE, name: ' b' }, NAME_WORDS],
  [{ ...WHOLE, sha256: undefined }, HASH_WORDS],
  [{ ...WHOLE, sha256: [WHOLE.sha256] }, HASH_WORDS],
  [{ ...WHOLE, sha256: WHOLE.sha256.slice(1) }, HASH_WORDS],
  [{ ...WHOLE, sha256: `${WHOLE.sha256}0` }, HASH_WORDS],
  [{ ...WHOLE, sha256: `0${WHOLE.sha256}` }, HASH_WORDS],
  [{ ...WHOLE, sha256: WHOLE.sha256.toUpperCase() }, HASH_WORDS],
  [{ ...WHOLE, callsPerMinute: 0 }, 'callsPerMinute must be a whole number above 0'],
  [{ ...WHOLE, concurrentCalls: 1.5 }, 'concurrentCalls must be a whole number above 0'],
  [{ ...WHOLE, bytesPerMinute: '9' }, 'bytesPerMinute must be a whole number above 0'],
  [{ ...WHOLE, servers: 'all' }, 'servers must be a list of names'],
  [{ ...WHOLE, allowTools: [1] }, 'allowTools must be a list of names'],
  [{ ...WHOLE, denyTools: ['read', null] }, 'denyTools must be a list of names'],
])('[T4] [X17] readTokenFile refuses an entry %j: %s', async (entry, words) => {
  await expect(readAs(entry)).rejects.toThrow(`entry 2: ${words}`);
});

it('[T4] readTokenFile refuses two tokens with the same name', async () => {
  const path = tokensFile(JSON.stringify({ tokens: [ALICE, WHOLE, { ...ALICE, sha256: WHOLE.sha256 }] }));
  await expect(readTokenFile(path)).rejects.toThrow('two entries are named alice');
});

it('[T4] newToken returns 256 random bits, and hashToken returns the SHA-256', () => {
  const [one, two] = [newToken(), newToken()];
  expect(one).toMatch(/^sct_[\w-]{43}$/);
  expect(two).not.toBe(one);
  expect(hashToken(one)).toBe(createHash('sha256').update(one).digest('hex'));
  expect([isTokenName('alice.b-c_1'), isTokenName('a b')]).toEqual([true, false]);
});

it('[T4] changeTokenFile keeps all of 32 concurrent changes', async () => {
  const path = join(tokensFile(), '..', 'new', 'tokens.json');
  const names = Array.from({ length: 32 }, (_, number) => `user-${number}`);
  await Promise.all(names.map((name) => changeTokenFile(path, (grants) => [...grants, { ...ALICE, name }])));
  expect((await readTokenFile(path))?.map(({ name }) => name).sort()).toEqual(names.sort());
});

it.runIf(process.platform !== 'win32')(
  '[X17] readTokenFile reports a pipe or device in the place of the file without waiting',
  async () => {
    const path = tokensFile();
    execFileSync('mkfifo', [path]);
    await expect(readTokenFile(path)).rejects.toThrow('is a pipe, not a regular file');
    await expect(readTokenFile('/dev/zero')).rejects.toThrow('is a device, not a regular file');
  },
);

it('[X17] the error of changeTokenFile contains the setting if the folder cannot be created', async () => {
  const path = tokensFile('');
  await expect(changeTokenFile(join(path, 'tokens.json'), (grants) => grants)).rejects.toMatchObject({
    code: 'cannot_write',
    hint: expect.stringContaining('SECATEUR_TOKENS_FILE'),
  });
});

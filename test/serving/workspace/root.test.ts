import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFileInside } from '../../../packages/serving/src/workspace/files-in-root.ts';
import {
  fileFailure,
  openInside,
  openRoot,
  resolveAgain,
  resolveInRoot,
} from '../../../packages/serving/src/workspace/root.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

it('resolveInRoot decides by the text of a path, not by what exists', async () => {
  const root = await temporaryTree();
  const refused = ['', '..', '../x', 'a/../../x', '/etc/passwd', 'a\0b', `${root.real}-sibling/x`];
  for (const path of refused) expect(resolveInRoot(root, path), path).toMatchObject({ kind: 'refused' });
  const inside = {
    'a/../b': 'b',
    './a//b/': 'a/b',
    '.': '.',
    '..a': '..a',
    '-x': '-x',
    [`${root.real}/q`]: 'q',
  };
  for (const [path, placed] of Object.entries(inside)) {
    expect(resolveInRoot(root, path), path).toMatchObject({ kind: 'inside', path: placed });
  }
});

it('resolveInRoot never returns a path outside the root', async () => {
  const root = await temporaryTree();
  const part = fc.constantFrom('..', '.', 'a', 'b c', '', '...', '-', 'é');
  fc.assert(
    fc.property(fc.array(part), fc.boolean(), (parts, absolute) => {
      const placed = resolveInRoot(root, `${absolute ? '/' : ''}${parts.join('/')}`);
      if (placed.kind === 'inside') expect(`${placed.absolute}/`.startsWith(`${root.real}/`)).toBe(true);
    }),
  );
});

it('readFileInside accepts an absolute path in the given and in the real root', async () => {
  const real = await temporaryTree({ 'a.txt': 'x' });
  const other = await temporaryTree();
  const link = join(other.real, 'link');
  await symlink(real.real, link);
  const root = await openRoot(link);
  expect(await readFileInside(root, join(link, 'a.txt'), { maxBytes: 1024 })).toMatchObject({ text: 'x' });
  expect(await readFileInside(root, join(real.real, 'a.txt'), { maxBytes: 1024 })).toMatchObject({
    text: 'x',
  });
});

it('readFileInside refuses a path that leads outside through a file link, a folder link or a chain of links', async () => {
  const outside = await temporaryTree({ 'secret.txt': 's' });
  const root = await temporaryTree({ 'in.txt': 'i' });
  await symlink(join(outside.real, 'secret.txt'), join(root.real, 'file'));
  await symlink(outside.real, join(root.real, 'dir'));
  await symlink('file', join(root.real, 'chain'));
  await symlink('in.txt', join(root.real, 'fine'));
  for (const path of ['file', 'dir/secret.txt', 'chain']) {
    await expect(readFileInside(root, path, { maxBytes: 1024 }), path).rejects.toMatchObject({
      code: 'invalid_path',
    });
  }
  expect(await readFileInside(root, 'fine', { maxBytes: 1024 })).toMatchObject({ text: 'i' });
});

it('readFileInside never returns an outside file while a link changes between inside and outside', async () => {
  const outside = await temporaryTree({ 'x.txt': 'SECRET' });
  const root = await temporaryTree({ 'in/x.txt': 'fine' });
  const link = join(root.real, 'd');
  const swap = `while :; do ln -sfn '${outside.real}' '${link}'; ln -sfn '${root.real}/in' '${link}'; done`;
  const { spawn } = await import('node:child_process');
  const swapper = spawn('bash', ['-c', swap], { stdio: 'ignore', detached: true });
  const answers = new Set<string>();
  try {
    for (let round = 0; round < 400; round += 1) {
      answers.add(
        await readFileInside(root, 'd/x.txt', { maxBytes: 1024 }).then(
          ({ text }) => text,
          ({ code }) => code,
        ),
      );
    }
  } finally {
    // With the `ln` it may just have started, which would write into a folder that is being removed.
    process.kill(-(swapper.pid ?? 0), 'SIGKILL');
    await once(swapper, 'close');
  }
  expect(answers).not.toContain('SECRET');
  expect(answers.size).toBeGreaterThan(0);
});

it('resolveAgain returns the path only if the path still leads to the opened file', async () => {
  const root = await temporaryTree({ 'a.txt': 'a', 'b.txt': 'b' });
  const { handle } = await openInside(root, 'a.txt');
  try {
    expect(await resolveAgain(handle, join(root.real, 'a.txt'))).toBe(join(root.real, 'a.txt'));
    expect(await resolveAgain(handle, join(root.real, 'b.txt'))).toBeUndefined();
    expect(await resolveAgain(handle, join(root.real, 'gone.txt'))).toBeUndefined();
  } finally {
    await handle.close();
  }
});

it('readFileInside does not wait for a FIFO, a socket or a directory', async () => {
  const root = await temporaryTree({ 'dir/x': '' });
  execFileSync('mkfifo', [join(root.real, 'fifo')]);
  const server = createServer().listen(join(root.real, 'socket'));
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    for (const path of ['fifo', 'socket', 'dir']) {
      await expect(readFileInside(root, path, { maxBytes: 1024 }), path).rejects.toMatchObject({
        code: 'invalid_path',
      });
    }
  } finally {
    server.close();
  }
});

it('[X17] fileFailure does not report too many open files as an invalid path', () => {
  const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  expect(fileFailure('a.txt', cause)).toMatchObject({ code: 'io_error', data: { errno: 'EMFILE' } });
  const long = Object.assign(new Error('name too long'), { code: 'ENAMETOOLONG' });
  expect(fileFailure('a.txt', long)).toMatchObject({ code: 'invalid_path' });
});

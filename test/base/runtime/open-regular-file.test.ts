import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  type OpenOptions,
  openRegularFile,
  type RegularFile,
  readRegularFile,
} from '../../../packages/base/src/runtime/bounded-reading.ts';

function folder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'secateur-files-')));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Every kind of file that must not be opened, by name, with the code of its refusal. */
function strangeFiles(inside: string): Record<string, [path: string, code: string]> {
  const at = (name: string) => join(inside, name);
  writeFileSync(at('plain'), 'plain');
  symlinkSync(at('plain'), at('link'));
  symlinkSync('/etc/passwd', at('link-out'));
  symlinkSync('/dev/zero', at('link-to-device'));
  symlinkSync(at('loop'), at('loop'));
  symlinkSync(at('nowhere'), at('broken-link'));
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  return {
    'a link to a file beside it': [at('link'), 'not_regular'],
    'a link to a file elsewhere': [at('link-out'), 'not_regular'],
    'a link to a device': [at('link-to-device'), 'not_regular'],
    'a link to itself': [at('loop'), 'not_regular'],
    'a link to nothing': [at('broken-link'), 'not_regular'],
    'a folder': [at('folder'), 'not_regular'],
    'a pipe': [at('pipe'), 'not_regular'],
    'a device': ['/dev/zero', 'not_regular'],
    'a terminal': ['/dev/tty', ''],
    'a file of /proc': ['/proc/self/environ', 'not_regular'],
    'an endless file of /proc': ['/proc/self/pagemap', 'not_regular'],
    'a file of /sys': ['/sys/kernel/mm/transparent_hugepage/enabled', ''],
    'a missing file': [at('missing'), 'missing'],
    'a file below a file': [at('plain/below'), 'missing'],
    'a path with a NUL character': [`${at('plain')}\0`, 'outside'],
  };
}

describe('openRegularFile', () => {
  it('[X29] openRegularFile refuses every kind of file except a regular file, and never waits for such a file', () => {
    for (const [what, [path, code]] of Object.entries(strangeFiles(folder()))) {
      const opened = openRegularFile(path);
      expect(opened.kind, what).toBe('refused');
      if (code !== '') expect(opened, what).toMatchObject({ code });
    }
  });

  it('[X29] openRegularFile with followLinks refuses links to special files, and opens links to regular files', () => {
    const inside = folder();
    const followed = ['a link to a file beside it', 'a link to a file elsewhere'];
    for (const [what, [path]] of Object.entries(strangeFiles(inside))) {
      const opened = openRegularFile(path, { followLinks: true });
      expect(opened.kind, what).toBe(followed.includes(what) ? 'opened' : 'refused');
      if (opened.kind === 'opened') opened.close();
    }
  });

  it('[X29] openRegularFile refuses a socket', async () => {
    const path = join(folder(), 'socket');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    onTestFinished(() => void server.close());
    expect(openRegularFile(path)).toMatchObject({ kind: 'refused', code: 'not_regular' });
  });

  it('[X29] openRegularFile leaves no descriptor open after a refusal', () => {
    const inside = folder();
    const files = Object.values(strangeFiles(inside));
    const before = readdirSync('/proc/self/fd').length;
    for (const [path] of files) {
      openRegularFile(path);
      openRegularFile(path, { below: [inside] });
    }
    expect(readdirSync('/proc/self/fd').length).toBe(before);
  });

  it('[X21] [X29] openRegularFile opens only files in the given folders, and follows no link in the path', () => {
    const [inside, outside] = [folder(), folder()];
    for (const each of [inside, outside]) {
      mkdirSync(join(each, 'deep'));
      writeFileSync(join(each, 'deep', 'file'), each);
    }
    symlinkSync(outside, join(inside, 'way-out'));
    symlinkSync(join(inside, 'deep'), join(inside, 'way-round'));
    const options: OpenOptions = { below: [join(inside, 'no-such-folder'), inside] };
    expect(textOf(openRegularFile(join(inside, 'deep/file'), options))).toBe(inside);
    expect(textOf(openRegularFile(join(inside, 'deep/../deep/./file'), options))).toBe(inside);
    const refusals = [
      join(outside, 'deep/file'),
      join(inside, '..', relative(join(inside, '..'), outside), 'deep/file'),
      join(inside, 'way-out/deep/file'),
      join(inside, 'way-round/file'),
      `${inside}-beside`,
      inside,
      '/proc/self/environ',
      'deep/file',
      '',
    ];
    for (const path of refusals) expect(openRegularFile(path, options).kind, path).toBe('refused');
  });

  it('[X21] openRegularFile accepts a folder that is a symlink, under both of its names', () => {
    const [real, home] = [folder(), folder()];
    writeFileSync(join(real, 'file'), 'here');
    symlinkSync(real, join(home, 'linked'));
    const options = { below: [join(home, 'linked')] };
    expect(textOf(openRegularFile(join(home, 'linked/file'), options))).toBe('here');
    expect(textOf(openRegularFile(join(real, 'file'), options))).toBe('here');
  });

  it('readAt of a regular file reads parts of the file, and stops at its end', async () => {
    const path = join(folder(), 'file');
    writeFileSync(path, '0123456789');
    const file = openRegularFile(path) as RegularFile;
    onTestFinished(() => file.close());
    expect(file.size).toBe(10);
    expect(String(await file.readAt(2, 3))).toBe('234');
    expect(String(await file.readAt(8, 100))).toBe('89');
    expect(String(await file.readAt(50, 100))).toBe('');
  });
});

describe('readRegularFile', () => {
  it('[X23] [X29] readRegularFile reads files up to maxBytes and refuses larger files', () => {
    const path = join(folder(), 'file');
    writeFileSync(path, '12345');
    expect(readRegularFile(path, { maxBytes: 5 })).toMatchObject({
      kind: 'read',
      bytes: Buffer.from('12345'),
    });
    appendFileSync(path, '6');
    expect(readRegularFile(path, { maxBytes: 5 })).toMatchObject({ kind: 'refused', code: 'too_large' });
    writeFileSync(path, '');
    expect(readRegularFile(path, { maxBytes: 5 })).toMatchObject({ kind: 'read', bytes: Buffer.alloc(0) });
  });
});

function textOf(file: ReturnType<typeof openRegularFile>): string {
  if (file.kind === 'refused') throw new Error(file.reason);
  const bytes = readRegularFile(`/proc/self/fd/${file.fd}`, { maxBytes: 1000, followLinks: true });
  file.close();
  return bytes.kind === 'read' ? String(bytes.bytes) : bytes.reason;
}

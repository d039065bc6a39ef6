import { fstatSync, writeSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  closePipes,
  closeWriters,
  noPipes,
  type OutputPipes,
  openPipeSupply,
  type PipeSupply,
  readerOf,
} from '../../../packages/serving/src/workspace/output-pipes.ts';
import { temporaryTree } from '../../support/temporary-tree.ts';

function stubEnv(name: string, value: string): void {
  vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
}

async function taken(supply: PipeSupply): Promise<OutputPipes> {
  const pipes = await supply.take();
  if (pipes === undefined) throw new Error('no pipes');
  return pipes;
}

function isOpen(descriptor: number): boolean {
  try {
    return fstatSync(descriptor) !== undefined;
  } catch {
    return false;
  }
}

describe.runIf(process.platform === 'linux')('the pipes for the output of commands', () => {
  it('each pipe transfers only its own data and ends when its writer ends', async () => {
    const { stdout, stderr } = await taken(openPipeSupply());
    const readers = [readerOf(stdout), readerOf(stderr)];
    writeSync(stdout.writer, 'out');
    writeSync(stderr.writer, 'err');
    closeWriters({ stdout, stderr });
    const texts = await Promise.all(readers.map((reader) => reader.toArray()));
    expect(texts.map((chunks) => Buffer.concat(chunks).toString())).toEqual(['out', 'err']);
  });

  it('closePipes closes both ends if no program was started', async () => {
    const { stdout, stderr } = await taken(openPipeSupply());
    const descriptors = [stdout.reader, stdout.writer, stderr.reader, stderr.writer];
    expect(descriptors.map(isOpen)).toEqual([true, true, true, true]);
    closePipes({ stdout, stderr });
    expect(descriptors.map(isOpen)).toEqual([false, false, false, false]);
  });

  it('[X16] a pipe has a name that only its owner can open, until the pipe is opened', async () => {
    const { real } = await temporaryTree();
    stubEnv('TMPDIR', real);
    const { stdout, stderr } = await taken(openPipeSupply());
    onTestFinished(() => closePipes({ stdout, stderr }));
    expect([stdout.reader, stderr.writer].map((each) => fstatSync(each).mode & 0o777)).toEqual([
      0o600, 0o600,
    ]);
    expect(await readdir(real)).toEqual([]);
  });

  it('`take` returns undefined if the folder or the program for pipes is missing', async () => {
    const { real } = await temporaryTree();
    stubEnv('TMPDIR', join(real, 'gone'));
    expect(await openPipeSupply().take()).toBeUndefined();
    stubEnv('TMPDIR', real);
    stubEnv('PATH', real);
    expect(await openPipeSupply().take()).toBeUndefined();
    expect(await readdir(real)).toEqual([]);
  });

  it('the supply creates pipes again after the temporary folder was missing and exists again', async () => {
    const { real } = await temporaryTree();
    const supply = openPipeSupply();
    stubEnv('TMPDIR', join(real, 'gone'));
    expect(await supply.take()).toBeUndefined();
    stubEnv('TMPDIR', real);
    closePipes(await taken(supply));
  });

  it('[X7] the supply prepares pipes with one program, and starts no program while pipes are ready', async () => {
    const { real } = await temporaryTree();
    const counting = '#!/bin/sh\necho made >> "$(dirname "$0")/log"\nPATH=${PATH#*:} exec mkfifo "$@"\n';
    await writeFile(join(real, 'mkfifo'), counting, { mode: 0o755 });
    stubEnv('PATH', `${real}:${process.env.PATH}`);
    const made = async () =>
      (await readFile(join(real, 'log'), 'utf8').catch(() => '')).split('\n').length - 1;
    const supply = openPipeSupply();
    supply.prepare();
    supply.prepare();
    await expect.poll(made).toBe(1);
    closePipes(await taken(supply));
    supply.prepare();
    // Another supply takes as long as the pipe that this one should not have begun.
    closePipes(await taken(openPipeSupply()));
    expect(await made()).toBe(2);
  });
});

it('noPipes returns undefined', async () => {
  noPipes.prepare();
  expect(await noPipes.take()).toBeUndefined();
});

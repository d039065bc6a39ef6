import { expect, it } from 'vitest';
import { printedBy } from '../../../packages/serving/src/workspace/run-attached.ts';

const asked = (commandLine: string, env: Record<string, string> = {}, timeoutMs = 20_000) =>
  printedBy(commandLine, { env, timeoutMs });

it('printedBy returns the output of a command line without the last line break', async () => {
  expect(await asked("printf ' one\\n two \\n\\n'; echo warning >&2")).toBe(' one\n two');
});

it('printedBy runs the command with exactly the given environment', async () => {
  expect(await asked('echo "$WORD:$HOME"', { WORD: 'hello' })).toBe('hello:');
});

it('printedBy rejects if the command fails or takes too long', async () => {
  await expect(asked('echo half; exit 3')).rejects.toMatchObject({ code: 3 });
  await expect(asked('exec sleep 20', {}, 50)).rejects.toMatchObject({ killed: true });
});

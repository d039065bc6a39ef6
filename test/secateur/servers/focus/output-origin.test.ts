import { expect, it } from 'vitest';
import { silentLog } from '../../../../packages/base/src/runtime/event-log.ts';
import { systemClock } from '../../../../packages/base/src/runtime/time.ts';
import {
  firstErrorSurvives,
  focusOutput,
} from '../../../../packages/secateur/src/servers/focus/focus-pruner.ts';

const BUILD = Array.from({ length: 40 }, (_, at) => `[${at}/40] Compiling unit ${at} of the tree`).join('\n');
const DIFF = ['--- a/x', '+++ b/x', '@@ -1,3 +1,3 @@', ' one', '-two', '+three', ' four'].join('\n');

it.each([
  [DIFF, 'warning', false],
  [BUILD, '', true],
])(
  'focusOutput prunes none of the texts of a command if one of them has to be read whole (%#)',
  async (stdout, stderr, isPruned) => {
    const backend = {
      ...{ endpoint: 'test', takesWholeOutput: false },
      prune: async () => ({ kind: 'unchanged' as const }),
    };
    const output = await focusOutput(
      {
        ...{
          tool: 'bash',
          source: { kind: 'command', command: 'make' },
          texts: [stdout, stderr],
          question: 'why?',
        },
        ...{ requestId: '1', maxOutputBytes: undefined, style: { markers: 'compact', numbered: false } },
        signal: new AbortController().signal,
      },
      { backend, maxPruneInputBytes: 100_000, clock: systemClock, log: silentLog } as never,
    );
    expect(output.pruning.attempted).toBe(isPruned);
    expect(output.pruning.keptWhole === undefined).toBe(isPruned);
  },
);

it('firstErrorSurvives adds the first error of a command again if pruning removed it', () => {
  const raw = 'ok 0 errors\ncc: fatal error: no input\nfailed: later';
  expect(firstErrorSurvives('bash', raw, 'ok')).toBe('cc: fatal error: no input\nok');
  const kept = 'x\ncc: fatal error: no input';
  expect(firstErrorSurvives('bash', raw, kept)).toBe(kept);
  expect(firstErrorSurvives('read', raw, 'ok')).toBe('ok');
});

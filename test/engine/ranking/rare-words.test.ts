import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { cutText } from '../../../packages/engine/src/cut.ts';
import { localScorer } from '../../../packages/engine/src/ranking/local-scorer.ts';
import { rareWordsIn } from '../../../packages/engine/src/ranking/named-lines.ts';
import type { Unit } from '../../../packages/engine/src/reading/document.ts';
import { pruneRequest } from '../../support/pruner.ts';

const lines = Array.from({ length: 20 }, (_, at) => `the server reads setting ${at} of the queue`);
lines[7] = 'the server closes idle connections after this setting';
const units = lines.map(
  (_, at): Unit => ({ kind: 'section', name: '', start: at + 1, end: at + 1, head: at }),
);

describe('rare words of a request', () => {
  it('[P54] find the unit that holds them, whatever words all units hold', () => {
    const holds = rareWordsIn(lines, 'Which setting of the server closes an idle connection?', units);
    expect(units.filter((unit) => holds?.(unit) === true).map(({ start }) => start)).toEqual([8]);
  });

  it.each(['Which setting does the server read?', 'What is idle here?'])(
    '[P54] decide nothing if all units hold them, or if one plain word may be there by chance: %s',
    (request) => {
      expect(rareWordsIn(lines, request, units)).toBeUndefined();
    },
  );
});

describe('[P54] a long document whose sections all hold the words of the request', () => {
  const WORDS = 'harbor copper willow meadow lantern orchard signal river stone summit canyon maple'.split(
    ' ',
  );
  const word = (at: number) => WORDS[(at * 7 + Math.floor(at / 12) * 5) % WORDS.length] ?? '';
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, at) => word(from + at)).join(' ');
  const section = (at: number) => [
    `## ${['Server', 'Cache', 'Queue', 'Client'][at % 4]} ${word(at)} settings ${at}`,
    '',
    `The server reads this setting when it starts. The setting \`server.${word(at + 3)}${at}\` configures the ${words(at, 5)} of the server.`,
    ...(at === 31 ? ['', 'Idle connections are closed after `server.keepalive`, default 75 seconds.'] : []),
    '',
    '```yaml',
    'server:',
    `  ${word(at + 5)}: ${at}`,
    '```',
    '',
    `The configuration of the server is reloaded with a signal. ${words(at + 2, 30)}.`,
    '',
  ];
  const text = [
    '# Configuration of the server',
    '',
    ...Array.from({ length: 80 }, (_, at) => section(at)).flat(),
  ];
  const cut = (question: string) => {
    const request = pruneRequest({
      text: text.join('\n'),
      focus: { question },
      origin: { kind: 'file', path: 'docs/configuration.md', isPart: false },
      fileName: 'docs/configuration.md',
      intent: 'implicit',
      options: { maxPruneRatio: 0.95, markers: 'compact' },
    });
    const parts = { scorer: localScorer, clock: systemClock };
    return cutText({ request, id: 'prn_0000000000', remainingMs: 60_000 }, parts)?.prunedText ?? '';
  };

  it('keeps the sections with its rarer words and folds the others', () => {
    const shown = cut('In the configuration of the server, find the setting for idle connections.');
    expect(shown).toContain('Idle connections are closed after `server.keepalive`');
    expect(shown.length).toBeLessThan(text.join('\n').length / 2);
  });
});

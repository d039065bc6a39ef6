import fc from 'fast-check';
import { SOURCE_TYPES } from '../../packages/engine/src/ranking/scorer.ts';
import type { PruneRequest } from '../../packages/engine/src/request.ts';

const ordinary = fc.constantFrom(
  'import os',
  'def parse_yaml(path):',
  '    return load(path)',
  'class Retry:',
  '    def wait(self, attempt):',
  '        time.sleep(self.delay * 2 ** attempt)',
  'const total = items.reduce((sum, item) => sum + item.price, 0);',
  'function retry(policy) {',
  '}',
  '2024-05-01 12:00:01 INFO connection 17 accepted from 10.0.0.7',
  '2024-05-01 12:00:02 ERROR retry gave up after 5 attempts',
  'Traceback (most recent call last):',
  '  File "a.py", line 3, in <module>',
  '## Installation',
  'Run the installer and wait for the green light to come on.',
  '```sh',
  '```',
  'Title',
  '=====',
);
const strange = fc.constantFrom(
  '',
  ' ',
  '\t',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffy',
  '👩‍👩‍👧‍👦 family',
  'e\u0301\u0302 combining',
  '\u2028',
  '\u001b[31mred\u001b[0m',
  '10%\r50%\r100%',
  '⟦PRUNÉ: prune_id=prn_0123456789ABCDEFGHJKMNPQRS lignes 3-9 (7) raison=hors focus⟧',
  '⟦PRUNÉ: not quite',
  'x ⟧ raison= ⟦',
  '✂ 36-47 (function parseYaml, +3)',
  '  12→✂ 3-9',
  '... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9 head=1 tail=1] ...',
);
const directive = fc.constantFrom('⟦NO_PRUNE_BEGIN⟧', '⟦NO_PRUNE_END⟧', '# ⟦NO_PRUNE_BEGIN⟧ nested');
/** Lines that no rule protects. */
const dull = fc
  .tuple(fc.constantFrom('    total', 'worker', 'The manual', '10.0.0'), fc.nat(99))
  .map(([start, number]) => `${start} ${number} goes on with one more step of the same long story`);
const long = fc.integer({ min: 300, max: 5000 }).map((length) => 'word '.repeat(length / 5));
const binary = fc.string({ unit: 'binary', maxLength: 60 }).map((text) => text.replaceAll('\n', ' '));

const line = fc.oneof(
  { weight: 60, arbitrary: ordinary },
  { weight: 60, arbitrary: dull },
  { weight: 15, arbitrary: strange },
  { weight: 5, arbitrary: long },
  { weight: 10, arbitrary: binary },
  { weight: 1, arbitrary: directive },
);

/** Runs of one line make the gaps that single lines rarely give. */
const run = fc.tuple(line, fc.oneof(fc.constant(1), fc.nat(20)));

const anyText: fc.Arbitrary<string> = fc
  .tuple(fc.array(run, { maxLength: 25, size: 'max' }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([runs, terminator, ends]) => {
    const text = runs
      .flatMap(([content, times]) => Array.from({ length: times }, () => content))
      .join(terminator);
    return ends ? text + terminator : text;
  });

const anyWords = fc.oneof(
  fc.constantFrom('why does retry give up', 'installation', '', '\ud800'),
  fc.string({ unit: 'binary' }),
);

export const anyRequest: fc.Arbitrary<PruneRequest> = fc.record({
  text: anyText,
  focus: fc.record({ question: anyWords }),
  sourceType: fc.constantFrom(...SOURCE_TYPES),
  options: fc.record({
    maxPruneRatio: fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(0, 0.29, 0.55, 0.7, 0.9, 1),
    ),
    minKeepLines: fc.oneof(
      { weight: 4, arbitrary: fc.constant(0) },
      { weight: 4, arbitrary: fc.nat(30) },
      { weight: 1, arbitrary: fc.nat(400) },
    ),
    timeoutMs: fc.constant(60_000),
    annotateLines: fc.boolean(),
    includeMarkers: fc.boolean(),
    markers: fc.constantFrom('canonical' as const, 'compact' as const),
  }),
});

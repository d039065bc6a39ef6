import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../packages/base/src/runtime/time.ts';
import { cutText } from '../../../packages/engine/src/cut.ts';
import { createLocalScorer } from '../../../packages/engine/src/ranking/local-scorer.ts';
import {
  partsOfNames,
  rareWordsIn,
  titlesNamedIn,
} from '../../../packages/engine/src/ranking/named-lines.ts';
import type { Unit } from '../../../packages/engine/src/reading/document.ts';
import { pruneRequest } from '../../support/pruner.ts';

const PARTS = { scorer: createLocalScorer(), clock: systemClock };
const lines = Array.from({ length: 20 }, (_, at) => `the server reads setting ${at} of the queue`);
lines[7] = 'the server closes idle connections after this setting';
const units = lines.map(
  (_, at): Unit => ({ kind: 'section', name: '', start: at + 1, end: at + 1, head: at }),
);

describe('rareWordsIn', () => {
  it('[P54] rareWordsIn selects the section with the rare words of the request', () => {
    const holds = rareWordsIn(lines, 'Which setting of the server closes an idle connection?', { units });
    expect(units.filter((unit) => holds?.(unit) === true).map(({ start }) => start)).toEqual([8]);
  });

  it('[P55] rareWordsIn selects every unit with a proper name of the request, not only the best unit', () => {
    const bookings = Array.from({ length: 20 }, (_, at) => `booking ${at} of guest number ${at}`);
    bookings[3] = 'booking 3 of T. Nakamura';
    bookings[12] = 'booking 12 of T. Nakamura, asks for twin beds';
    const holds = rareWordsIn(bookings, 'Cancel the booking of T. Nakamura with the twin beds.', { units });
    expect(units.filter((unit) => holds?.(unit) === true).map(({ start }) => start)).toEqual([4, 13]);
  });

  it.each(['Which setting does the server read?', 'What is idle here?'])(
    '[P54] rareWordsIn returns undefined if all sections contain the words or only one word matches: %s',
    (request) => {
      expect(rareWordsIn(lines, request, { units })).toBeUndefined();
    },
  );
});

const WORDS = 'harbor copper willow meadow lantern orchard signal river stone summit canyon maple'.split(' ');
const word = (at: number) => WORDS[(at * 7 + Math.floor(at / 12) * 5) % WORDS.length] ?? '';
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => word(from + at)).join(' ');

describe('[P54] a long document whose sections all contain the words of the request', () => {
  const section = (at: number) => [
    `## ${['Server', 'Cache', 'Queue', 'Client'][at % 4]} ${word(at)} settings ${at}`,
    '',
    `The server reads this setting when it starts. The setting \`server.${word(at + 3)}${at}\` configures the ${words(at, 5)} of the server.`,
    ...(at === 12
      ? ['', 'A worker that stops ends its running jobs within `server.drain`, default 30 seconds.']
      : []),
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
    return cutText({ request, id: 'prn_0000000000', remainingMs: 60_000 }, PARTS)?.prunedText ?? '';
  };

  it('cutText keeps one section of a long document for each part of a task', () => {
    const parts = [
      'Rewrite harbor.toml for the new release:',
      '- idle connections are closed by the server after 90 seconds',
      '- a worker that stops gets 45 seconds for its running jobs',
    ];
    const shown = cut(parts.join('\n'));
    expect(shown).toContain('Idle connections are closed after `server.keepalive`');
    expect(shown).toContain('A worker that stops ends its running jobs within `server.drain`');
    expect(shown.length).toBeLessThan(text.join('\n').length / 2);
  });

  it('cutText keeps the sections with the rarer words of the request and removes other sections', () => {
    const shown = cut('In the configuration of the server, find the setting for idle connections.');
    expect(shown).toContain('Idle connections are closed after `server.keepalive`');
    expect(shown.length).toBeLessThan(text.join('\n').length / 2);
  });
});

function cutPage(text: string, question: string): string {
  const request = pruneRequest({
    text,
    focus: { question },
    origin: { kind: 'page' },
    intent: 'implicit',
    options: { maxPruneRatio: 0.95, markers: 'compact' },
  });
  return cutText({ request, id: 'prn_0000000000', remainingMs: 60_000 }, PARTS)?.prunedText ?? '';
}

describe('sections whose titles a request mentions', () => {
  it.each([
    ['`buffer`', true],
    ['TLS for sources', true],
    ['Authentication', true],
    ['`kafka`', false],
    ['Settings', false],
    ['安装', true],
  ])('[P54] [P57] titlesNamedIn finds a title in singular or plural: %s', (title, isNamed) => {
    const request = 'keys of the buffers, TLS for a source, authentication; 请看安装和配置';
    expect(titlesNamedIn(request)(title)).toBe(isNamed);
  });

  it('[P54] partsOfNames returns the parts of identifiers, not of plain words', () => {
    expect([...partsOfNames('what became of `cache.maxIdle` and min_zoom in the store?')]).toEqual([
      'cache',
      'idle',
      'zoom',
    ]);
  });

  it('[P54] cutText keeps the section of an option that was renamed but shares a rare part of its name', () => {
    const names = [
      'store.path',
      'store.shards',
      'store.fsync',
      'store.keep.idle_visits',
      'store.umask',
      'http.cors',
      'tls.cert',
    ];
    const section = (name: string, at: number) => [
      `### \`${name}\``,
      '',
      `Sets the ${words(at * 5, 90)}.`,
      '',
    ];
    const example = [
      '### Example',
      '',
      ...Array.from({ length: 6 }, () => 'What becomes of cache.max_idle in the new version.'),
      '',
    ];
    const text = [
      '# Options',
      '',
      ...[...names, ...names.map((each) => `${each}2`)].flatMap(section),
      ...example,
    ].join('\n');
    const shown = cutPage(text, 'What becomes of cache.max_idle in the new version?');
    expect(shown).toContain(section('store.keep.idle_visits', 3).join('\n'));
    expect(shown).not.toContain(section('store.fsync', 2).join('\n'));
  });

  it('[P54] cutText keeps sections whose titles the request mentions, although an example contains all words of the request', () => {
    const request =
      'Read the reference: exact keys of the buffer, journald and redact parts of the relay configuration';
    const titles = [
      'buffer',
      'kafka',
      'journald',
      'docker',
      'redact',
      'otlp',
      'exec',
      'parse',
      'script',
      'loki',
      's3',
      'file',
    ];
    const section = (title: string, at: number) => [
      `## \`${title}\``,
      '',
      ...Array.from({ length: 5 }, (_, row) => [`Each ${words(at * 3 + row, 24)} of it.`, '']).flat(),
    ];
    const example = ['## Example', '', ...Array.from({ length: 6 }, () => `${request}.`), ''];
    const text = ['# Relay', '', ...titles.flatMap(section), ...example].join('\n');
    const shown = cutPage(text, request);
    for (const [at, title] of titles.entries())
      expect(shown.includes(section(title, at).join('\n')), title).toBe(
        ['buffer', 'journald', 'redact'].includes(title),
      );
  });
});

describe('a changelog', () => {
  const release = (at: number) => [
    `## [4.${at}.0](https://example.test/compare/v4.${at - 1}.0...v4.${at}.0) (2026-01-${10 + (at % 20)})`,
    '',
    '### Bug Fixes',
    '',
    `* **queue:** ${words(at, 9)}`,
    `* ${words(at + 5, 11)}`,
    ...(at % 12 === 3 ? ['* **ses-transport:** report the region that was asked for'] : []),
    '',
  ];
  const text = ['# Changelog', '', ...Array.from({ length: 60 }, (_, at) => release(at + 1)).flat()].join(
    '\n',
  );
  const cut = (question: string) => cutPage(text, question);

  it('[P28] [P54] cutText keeps each release that contains a rare word of the request, and lists the others in a few markers', () => {
    const shown = cut('Which releases changed the SES transport?');
    expect(shown.match(/\*\*ses-transport:\*\*/g)).toHaveLength(5);
    expect(shown.match(/^✂ \d+-\d+ \(sections? 4\.\d+\.0 \(2026-01-\d+\)/gm)?.length).toBeGreaterThanOrEqual(
      5,
    );
    expect(shown.match(/^✂ /gm)?.length).toBeLessThan(16);
    expect(shown.length).toBeLessThan(text.length / 2);
  });

  it.each([
    'Look at the newest entry, and at the SES transport.',
    'Regarde la dernière version, et SES transport.',
    '看最新的版本, SES transport',
  ])('[P54] [P57] cutText keeps the newest release if the request asks for it: %s', (question) => {
    const last = ['## [4.61.0] (2026-01-09)', '', ...Array.from({ length: 9 }, () => `* ${question}`)].join(
      '\n',
    );
    const shown = cutPage(`${text}\n${last}`, question);
    expect(shown).toContain(release(1).slice(0, 6).join('\n'));
    expect(shown.length).toBeLessThan(text.length / 2);
  });
});

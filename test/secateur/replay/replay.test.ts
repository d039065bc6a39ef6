import { describe, expect, it } from 'vitest';
import {
  type AgentStep,
  type Cutter,
  priceOfRun,
  Replay,
  WrittenLater,
} from '../../../packages/secateur/src/replay/replay.ts';

const OUTPUT = [
  'const first = readTheWholeFile(path);',
  'const second = parseEverything(first);',
  'short',
  'const third = writeItBack(second);',
].join('\n');

describe('[Q12] WrittenLater', () => {
  it('WrittenLater reports a line as used if the agent later writes 24 characters in a row that occur in it', () => {
    const written = new WrittenLater();
    written.addWriting(0, 'cat a.ts');
    written.addWriting(1, 'replace `const second = parseEverything(first);`');
    expect(written.labelOutput(0, OUTPUT)).toEqual({ used: [2], again: [] });
  });

  it('WrittenLater does not report lines that the agent had written itself before', () => {
    const written = new WrittenLater();
    written.addWriting(0, 'const second = parseEverything(first);');
    written.addWriting(1, 'const second = parseEverything(first);');
    expect(written.labelOutput(0, OUTPUT).used).toEqual([]);
  });

  it('WrittenLater lists a line under `again` if an earlier output had already shown the line', () => {
    const written = new WrittenLater();
    for (const step of [0, 1]) written.addWriting(step, 'cat');
    written.addWriting(2, 'const third = writeItBack(second);');
    expect(written.labelOutput(0, OUTPUT).used).toEqual([4]);
    expect(written.labelOutput(1, OUTPUT)).toEqual({ used: [], again: [4] });
  });
});

const step = (output: string): AgentStep => ({
  tool: 'Bash',
  task: 'mend it',
  words: 'I look',
  command: 'cat a.ts',
  output,
});
const hideFirstTwo: Cutter = ({ output }) => ({
  text: `✂ 1-2\n${output.split('\n').slice(2).join('\n')}`,
  gaps: [{ start: 1, end: 2 }],
});

describe('[Q12] Replay', () => {
  it('Replay counts savings, used lines that were hidden, and the cost of recoveries', () => {
    const replayed = new Replay(hideFirstTwo).take(step(OUTPUT), { used: [2, 4], again: [] });
    expect(replayed.tokensAfter).toBeLessThan(replayed.tokensBefore);
    expect(replayed.used).toEqual({ lines: 2, seen: 1 });
    expect(replayed.recoveries).toBe(1);
    expect(replayed.recoveryTokens).toBeGreaterThan(60);
  });

  it('Replay can recover each gap separately, or all gaps of an output together', () => {
    const hideBoth: Cutter = () => ({
      text: '✂ 1-1\nshort\n✂ 4-4',
      gaps: [
        { start: 1, end: 1 },
        { start: 4, end: 4 },
      ],
    });
    const missed = { used: [1, 4], again: [] };
    const each = new Replay(hideBoth).take(step(OUTPUT), missed);
    const once = new Replay(hideBoth, 'at once').take(step(OUTPUT), missed);
    expect([each.recoveries, once.recoveries]).toEqual([2, 1]);
    expect(each.recoveryTokens - once.recoveryTokens).toBeCloseTo(60);
  });

  it('Replay that recovers all gaps together does not recover lines that were shown or recovered before', () => {
    const replay = new Replay(hideFirstTwo, 'at once');
    expect(replay.take(step(OUTPUT), { used: [1], again: [] }).recoveries).toBe(1);
    const again = replay.take(step(OUTPUT), { used: [1], again: [] });
    expect(again).toMatchObject({ recoveries: 0, used: { lines: 1, seen: 0 } });
    const strict = new Replay(hideFirstTwo);
    strict.take(step(OUTPUT), { used: [1], again: [] });
    expect(strict.take(step(OUTPUT), { used: [1], again: [] }).recoveries).toBe(1);
  });

  it('Replay recognises a hidden line that the session has shown before', () => {
    let call = 0;
    const replay = new Replay((given, focus) =>
      call++ === 0 ? { text: given.output, gaps: [] } : hideFirstTwo(given, focus),
    );
    replay.take(step(OUTPUT), { used: [], again: [] });
    const second = replay.take(step(OUTPUT), { used: [], again: [1, 4] });
    expect(second.copied).toEqual({ lines: 2, seen: 1, seenHereOrEarlier: 2 });
  });

  it('Replay recognises a hidden line that was shown before with another line number', () => {
    let call = 0;
    const numbered = (first: number) =>
      OUTPUT.split('\n')
        .map((line, at) => `${String(first + at).padStart(6)}\t${line}`)
        .join('\n');
    const replay = new Replay((given, focus) =>
      call++ === 0 ? { text: given.output, gaps: [] } : hideFirstTwo(given, focus),
    );
    replay.take(step(numbered(1)), { used: [], again: [] });
    const second = replay.take(step(numbered(8)), { used: [], again: [1] });
    expect(second.copied).toEqual({ lines: 1, seen: 0, seenHereOrEarlier: 1 });
  });

  it('Replay shortens each output with the outputs that the agent had seen until then', () => {
    const given: unknown[] = [];
    const replay = new Replay((each, focus) => {
      given.push(focus.shown);
      return hideFirstTwo(each, focus);
    });
    for (let count = 0; count < 2; count += 1) replay.take(step(OUTPUT), { used: [], again: [] });
    const text = `✂ 1-2\n${OUTPUT.split('\n').slice(2).join('\n')}`;
    expect(given).toEqual([[], [{ call: 'cat a.ts', text }]]);
  });

  it('Replay treats recovered lines as shown from then on', () => {
    const replay = new Replay(hideFirstTwo);
    replay.take(step(OUTPUT), { used: [1], again: [] });
    expect(replay.take(step(OUTPUT), { used: [], again: [1] }).copied).toMatchObject({
      seenHereOrEarlier: 1,
    });
  });
});

describe('[Q12] priceOfRun', () => {
  const quiet = { recoveries: 0, recovered: 0 };

  it('priceOfRun counts new tokens as cache writes and other tokens as cache reads', () => {
    const price = priceOfRun(1000, [
      { written: 10, shown: 100, ...quiet },
      { written: 20, shown: 50, ...quiet },
    ]);
    expect(price).toBeCloseTo(1000 * 1.25 + 10 * 5 + (1000 * 0.1 + 110 * 1.25 + 20 * 5));
  });

  it('priceOfRun counts a recovery as one more request', () => {
    const once = { written: 10, shown: 100, ...quiet };
    const without = priceOfRun(1000, [once, once]);
    const withOne = priceOfRun(1000, [{ ...once, recoveries: 1, recovered: 0 }, once]);
    expect(withOne).toBeGreaterThan(without + 1100 * 0.1);
  });
});

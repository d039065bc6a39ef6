import { describe, expect, it } from 'vitest';
import { leastSizeOf } from '../../../src/cli/least-size.ts';
import { loadConfig } from '../../../src/config/load.ts';
import { USUAL_LEAST } from '../../../src/pruning/least-size.ts';
import { callText, isReadWhole, kindOfText, type TextOrigin } from '../../../src/pruning/text-kind.ts';
import { commandKind } from '../../../src/ranking/command-kind.ts';

const PYTHON = Array.from(
  { length: 12 },
  (_, at) => `def step_${at}(value):\n    """Adds."""\n    return value + ${at}\n`,
).join('\n');
const NUMBERED = PYTHON.split('\n')
  .map((line, at) => `${String(at + 1).padStart(6)}\t${line}`)
  .join('\n');
const BUILD = Array.from({ length: 40 }, (_, at) => `[${at}/40] Compiling unit ${at} of the tree`).join('\n');
const DIFF = ['--- a/x', '+++ b/x', '@@ -1,3 +1,3 @@', ' one', '-two', '+three', ' four'].join('\n');

const command = (line: string): TextOrigin => ({ kind: 'command', command: line });

describe('what a text is, from where it came from', () => {
  it.each([
    ['a.ts', 'code'],
    ['README.md', 'docs'],
    ['build.log', 'logs'],
    ['build.log.3', 'logs'],
    ['data.json', 'code'],
    ['page.html', 'docs'],
  ])('the name of %s tells', (path, sourceType) => {
    expect(kindOfText({ kind: 'file', path }, 'x')).toMatchObject({ sourceType, fileName: path });
  });

  it.each([
    ['cat src/steps.py', PYTHON],
    ['nl -ba src/steps.py | sed -n 1,90p', NUMBERED],
    ['cd /repo && cat -n src/steps.py', NUMBERED],
    ['git show HEAD:src/steps.py', PYTHON],
  ])('[A6] `%s` is code of that file’s language', (line, text) => {
    expect(kindOfText(command(line), text)).toEqual({
      sourceType: 'code',
      shape: 'code',
      fileName: 'src/steps.py',
    });
  });

  it('the history of a repository is no log: its words of failure are those of commits', () => {
    const commits = Array.from(
      { length: 30 },
      (_, at) => `${(at + 1e6).toString(16)}a Fix failure ${at} in the parser`,
    );
    expect(kindOfText(command('git log --oneline -30'), commits.join('\n')).shape).not.toBe('logs');
    expect(kindOfText(command('make; git log -3'), commits.join('\n')).shape).toBe('logs');
    expect(kindOfText(command('git push origin main'), commits.join('\n')).shape).toBe('logs');
  });

  it('what a command printed of itself is a log, unless it is code or prose beyond doubt', () => {
    expect(kindOfText(command('make'), BUILD).shape).toBe('logs');
    expect(kindOfText(command('./show-steps'), PYTHON).shape).toBe('code');
    expect(kindOfText({ kind: 'other' }, BUILD).shape).toBe('code');
  });

  it('a diff is a diff wherever it comes from, and is read to the letter', () => {
    const isWhole = (origin: TextOrigin, text = DIFF) => isReadWhole(origin, text, kindOfText(origin, text));
    expect(isWhole(command('./changes.sh'))).toBe(true);
    expect(isWhole({ kind: 'file', path: 'notes.txt' })).toBe(true);
    expect(isWhole({ kind: 'file', path: 'old.patch' }, '*** context diff')).toBe(true);
    expect(isWhole(command('git diff --stat'), BUILD)).toBe(true);
    expect(isWhole(command('git diff'), `${BUILD}\n`.repeat(20))).toBe(false);
    expect(isWhole(command('make'), BUILD)).toBe(false);
  });

  it('a call is put in the words its kind is known by', () => {
    expect(commandKind(callText({ kind: 'file', path: 'a.ts' }))).toBe('read');
    expect(commandKind(callText({ kind: 'search', pattern: 'retry' }))).toBe('search');
    expect(commandKind(callText({ kind: 'search', pattern: '*.ts' }, 'Glob'))).toBe('listing');
    expect(callText(command('npm test'))).toBe('npm test');
  });
});

it('[P29] the least size is the settings’ own', () => {
  const { config } = loadConfig(['pruner'], {
    origin: { env: {}, cwd: '/', platform: 'linux', homeDir: '/' },
    flags: new Map(),
  });
  expect(leastSizeOf(config.pruner)).toEqual(USUAL_LEAST);
});

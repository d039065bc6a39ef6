import { describe, expect, it } from 'vitest';
import { listedLines, namedLines } from '../../../packages/engine/src/ranking/named-lines.ts';

const TESTS = ["it('adds', () => {", '  expect(1).toBe(1);', '});', "it('subtracts', () => {"];
const FOLDERS = [
  'total 8',
  'drwxr-xr-x 2 me me 4096 Nov 2 10:11 billing',
  '-rw-r--r-- 1 me me 12 Nov 2 10:11 notes.txt',
];

describe('[P28] [P57] listedLines', () => {
  it.each([
    'which tests are there?',
    'list all the tests',
    'quels tests existent ?',
    'liste tous les tests',
    '列出所有测试',
    '有哪些单元测试？',
  ])('listedLines finds the tests that a request asks for: %s', (question) => {
    expect(listedLines(TESTS, question)).toEqual([0, 3]);
  });

  it.each([
    'which folders are there?',
    'quels dossiers y a-t-il ?',
    'combien de répertoires ?',
    '有哪些目录？',
    '列出全部文件夹',
  ])('listedLines finds the folders that a request asks for: %s', (question) => {
    expect(listedLines(FOLDERS, question)).toContain(1);
  });

  it.each(['make sure that all tests pass', 'fix the parser', 'corrige le parseur', '修复解析器'])(
    'listedLines finds nothing if the request does not ask for a list: %s',
    (question) => {
      expect(listedLines(TESTS, question)).toEqual([]);
    },
  );
});

describe('[P28] [P57] namedLines', () => {
  const lines = ['const retryDelay = 3;', 'const other = 4;', 'throw new Error("too late");'];

  it.each(['Why is retryDelay so long?', 'Pourquoi retryDelay est-il si long ?', '为什么retryDelay这么长'])(
    'namedLines finds the line with an identifier of the request: %s',
    (request) => {
      expect([...namedLines(lines, request).byLiterals]).toEqual([0]);
    },
  );

  it('namedLines finds the line with a quoted string of the request', () => {
    expect([...namedLines(lines, 'who says "too late"?').byLiterals]).toEqual([2]);
  });

  it('namedLines finds nothing if the request is as long as an issue', () => {
    expect(namedLines(lines, `retryDelay ${'and much more '.repeat(300)}`).byWords.size).toBe(0);
  });
});

it('[P28] namedLines ignores parts of dotted names and paths if a plain word of a list is frequent', () => {
  const events = Array.from({ length: 40 }, (_, n) =>
    n % 4 === 0 ? `sent customer.updated ${n}` : `sent order ${n}`,
  );
  events[7] = 'moved to dead letters: customer unknown';
  const { byWords } = namedLines(events, 'list all events of the customer', {
    isList: true,
    isComplete: true,
  });
  expect([...byWords]).toEqual([7]);
});

import { describe, expect, it } from 'vitest';
import { focusIdentity, goalText, lineHash, seenLines } from '../../src/ranking/focus.ts';

describe('a focus as one text', () => {
  it('is the question where nothing else is known', () => {
    expect(goalText({ question: 'why does it fail?\nreally' })).toBe('why does it fail?\nreally');
  });

  it('puts the question first, then the newest words, then the task', () => {
    const recentWords = ['too old', 'one', 'two', ' ', 'three'];
    const focus = { question: 'why?', task: 'fix the parser', recentWords };
    expect(goalText(focus)).toBe('why?\nthree\ntwo\none\nfix the parser');
  });
});

describe('the identity of a focus', () => {
  const focus = { question: 'why?', task: 'fix', recentWords: ['a', 'b'], command: 'cat x' };
  it.each([
    ['question', { question: 'how?' }],
    ['task', { task: 'build' }],
    ['words', { recentWords: ['a,b'] }],
    ['command', { command: 'cat y' }],
    ['seen lines', { seen: new Set([lineHash('a line')]) }],
  ])('changes with the %s', (_, change) => {
    const lines = ['a line'];
    expect(focusIdentity({ ...focus, ...change }, lines)).not.toEqual(focusIdentity(focus, lines));
  });

  it('does not change with what was seen elsewhere', () => {
    const seen = new Set([lineHash('another line')]);
    expect(focusIdentity({ ...focus, seen }, ['a line'])).toEqual(focusIdentity(focus, ['a line']));
  });

  it('knows a seen line at another depth', () => {
    expect(seenLines(['x', '    return a;'], new Set([lineHash('return a;')]))).toEqual([1]);
  });
});

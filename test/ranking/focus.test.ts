import { describe, expect, it } from 'vitest';
import { bareLine } from '../../src/ranking/focus/bare-line.ts';
import { focusIdentity, goalText, textHash } from '../../src/ranking/focus.ts';

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
    ['lines asked back', { askedBack: { gaps: 3, recoveries: 1 } }],
    ['lines seen', { seen: new Set([textHash('a line')]) }],
  ])('changes with the %s', (_, change) => {
    expect(focusIdentity({ ...focus, ...change })).not.toEqual(focusIdentity(focus));
  });

  it('tells two runs apart that were shown as much, but not the same', () => {
    const identities = [
      [3, 5],
      [3, 6],
      [2, 4],
      [1, 7],
    ].map((hashes) => focusIdentity({ ...focus, seen: new Set(hashes) }).at(-1));
    expect(new Set(identities).size).toBe(identities.length);
  });

  it('is the same whatever came first', () => {
    const [there, back] = [new Set([3, 5, 8]), new Set([8, 5, 3])];
    expect(focusIdentity({ ...focus, seen: there })).toEqual(focusIdentity({ ...focus, seen: back }));
  });
});

it('knows a line at another depth', () => {
  expect(bareLine('    return a;')).toBe(bareLine('return a;'));
});

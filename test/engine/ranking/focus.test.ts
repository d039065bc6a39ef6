import { describe, expect, it } from 'vitest';
import { focusIdentity, goalText } from '../../../packages/engine/src/ranking/scorer.ts';

describe('goalText', () => {
  it('goalText returns the question if the focus contains nothing else', () => {
    expect(goalText({ question: 'why does it fail?\nreally' })).toBe('why does it fail?\nreally');
  });

  it('goalText returns the question, then the newest words of the conversation, then the task', () => {
    const recentWords = ['too old', 'one', 'two', ' ', 'three'];
    const focus = { question: 'why?', task: 'fix the parser', recentWords };
    expect(goalText(focus)).toBe('why?\nthree\ntwo\none\nfix the parser');
  });
});

describe('focusIdentity', () => {
  const focus = { question: 'why?', task: 'fix', recentWords: ['a', 'b'], command: 'cat x' };
  it.each([
    ['question', { question: 'how?' }],
    ['task', { task: 'build' }],
    ['words', { recentWords: ['a,b'] }],
    ['command', { command: 'cat y' }],
    ['outputs shown', { shown: [{ call: 'cat a', text: 'a line' }] }],
  ])('focusIdentity changes with the %s', (_, change) => {
    expect(focusIdentity({ ...focus, ...change })).not.toEqual(focusIdentity(focus));
  });

  it('focusIdentity differs between two agent runs that were shown different outputs', () => {
    const identities = ['a', 'b', 'ab'].map((text) =>
      focusIdentity({ ...focus, shown: [{ call: 'cat', text }] }).at(-1),
    );
    expect(new Set(identities).size).toBe(identities.length);
  });
});

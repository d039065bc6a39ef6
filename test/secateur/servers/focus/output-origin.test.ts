import { expect, it } from 'vitest';
import {
  firstErrorSurvives,
  readOutput,
} from '../../../../packages/secateur/src/servers/focus/focus-pruner.ts';

const BUILD = Array.from({ length: 40 }, (_, at) => `[${at}/40] Compiling unit ${at} of the tree`).join('\n');
const DIFF = ['--- a/x', '+++ b/x', '@@ -1,3 +1,3 @@', ' one', '-two', '+three', ' four'].join('\n');

it('readOutput returns "whole" if one part of the output must not be pruned', () => {
  expect(readOutput({ tool: 'bash', command: 'make' }, [DIFF, 'warning'])).toMatchObject({ kind: 'whole' });
  expect(readOutput({ tool: 'bash', command: 'make' }, [BUILD, ''])).toMatchObject({ kind: 'prunable' });
});

it('firstErrorSurvives restores a dropped first error once, and only in outputs of commands', () => {
  const bash = { tool: 'bash', command: 'make' } as const;
  const raw = 'ok 0 errors\ncc: fatal error: no input\nfailed: later';
  expect(firstErrorSurvives(bash, raw, 'ok')).toBe('cc: fatal error: no input\nok');
  const kept = 'x\ncc: fatal error: no input';
  expect(firstErrorSurvives(bash, raw, kept)).toBe(kept);
  expect(firstErrorSurvives({ tool: 'read', path: 'a.c' }, raw, 'ok')).toBe('ok');
});

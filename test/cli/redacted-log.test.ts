import { expect, it } from 'vitest';
import { redactedLines } from '../../src/cli/redacted-lines.ts';
import { systemClock } from '../../src/runtime/clock.ts';
import { jsonEventLog, textEventLog } from '../../src/runtime/event-log.ts';

it.each([textEventLog, jsonEventLog])('[X10] a log holds no secret, whatever a caller hands it', (open) => {
  const lines: string[] = [];
  const log = open(redactedLines({ write: (text) => lines.push(text) }), systemClock);
  log.emit({
    level: 'error',
    event: 'upstream_failed',
    data: {
      reason: 'GET https://api.example.com/?api_key=tR7vQ2xZ9kLm answered 403',
      password: 'hunter2!9x',
    },
  });
  expect(lines.join('')).toContain('upstream_failed');
  expect(lines.join('')).not.toMatch(/tR7vQ2xZ9kLm|hunter2!9x/);
  expect(lines.join('').split('\n')).toHaveLength(2);
});

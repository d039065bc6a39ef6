import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactedLog } from '../../../packages/secateur/src/cli/server-deps.ts';

it.each(['text', 'json'] as const)('[X10] redactedLog writes no secret of a caller as %s', (format) => {
  const lines: string[] = [];
  const log = redactedLog({ write: (text) => lines.push(text) }, format);
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

it('[X10] redactedLog writes valid JSON after redaction', () => {
  const piece = fc.constantFrom(
    '${secret:',
    'password=token$"',
    'api_key',
    '"',
    '\\',
    ':',
    '=',
    '\n',
    'hunter2!9x',
    '}',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const lines: string[] = [];
      const log = redactedLog({ write: (text) => lines.push(text) }, 'json');
      log.emit({ level: 'warn', event: 'call_failed', data: { message: pieces.join(''), port: 8008 } });
      expect(JSON.parse(lines.join(''))).toMatchObject({ event: 'call_failed', data: { port: 8008 } });
    }),
    { numRuns: 500, examples: [[['${secret:']], [['\\"', 'password=token$"']]] },
  );
});

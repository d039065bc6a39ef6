import { parsedFields } from '@secateur/base/text/json-value.ts';
import type { HookClient } from '../../servers/hooks/client.ts';

/** What a chatty test run prints: one failure among many passing lines. */
export const SAMPLE_OUTPUT = [
  ...Array.from({ length: 90 }, (_, at) => `  ✓ test ${at + 1}: the watering can of floor ${at} is full`),
  '  ✗ test 91: a lost connection is tried again',
  '    Error: expected a delay of 200 ms, got 100 ms',
  '        at retryDelay (src/retry.ts:42:11)',
  ...Array.from({ length: 60 }, (_, at) => `  ✓ test ${at + 92}: the plant of floor ${at} was watered`),
  '150 passed, 1 failed',
].join('\n');

export interface Sample {
  readonly event: object;
  /** What the agent would read, if the hook answered so. */
  shownIn(answer: string): string | undefined;
}

/** A command as the client tells of it, after it has run. */
export function sampleEvent(client: HookClient): Sample {
  const { event, shownIn } = client.sample(SAMPLE_OUTPUT);
  return { event, shownIn: (answer) => textOf(shownIn(parsedFields(answer) ?? {})) };
}

function textOf(shown: unknown): string | undefined {
  return typeof shown === 'string' && shown !== '' ? shown : undefined;
}

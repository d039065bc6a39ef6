import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { reverseSpecParts } from '../../../packages/reverse-spec/src/cli/spec-call.ts';
import { createTerminal } from '../../../packages/serving/src/commands/terminal.ts';
import { loadConfig } from '../../../packages/serving/src/config/load.ts';

function priceWith(env: Record<string, string>) {
  const origin = { env, cwd: '/nowhere', platform: 'linux', homeDir: '/nowhere' } as const;
  const { config } = loadConfig(['reverseSpec'], { origin, flags: new Map() });
  const streams = { input: new PassThrough(), output: new PassThrough(), errors: new PassThrough() };
  return reverseSpecParts(config.reverseSpec, origin, createTerminal(streams, {})).price;
}

it.each([
  ['the model that ships', {}, { input: 2, output: 10 }],
  ['a dated name', { REVERSE_SPEC_MODEL: 'claude-opus-5-5-20260924' }, { input: 4, output: 20 }],
  ['a price that was said', { REVERSE_SPEC_PRICE: '1/2' }, { input: 1, output: 2 }],
  ['a model that is not in the list', { REVERSE_SPEC_MODEL: 'claude-opus-50' }, undefined],
  ['another endpoint', { REVERSE_SPEC_MODEL_URL: 'http://localhost:1/v1' }, undefined],
  ['a proxy', { ANTHROPIC_BASE_URL: 'http://localhost:1' }, undefined],
])('[R62] the reverse-spec command determines the price per token for %s', (_what, env, price) => {
  expect(priceWith(env)).toEqual(price);
});

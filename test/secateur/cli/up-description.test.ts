import { expect, it } from 'vitest';
import { describeUp } from '../../../packages/secateur/src/cli/up/running.ts';

const state = {
  version: '0.1.0',
  pid: 7,
  startedAt: 0,
  servers: [{ name: 'focus', endpoint: 'http://127.0.0.1:8008/mcp', offers: 'read, bash, grep' }],
} as unknown as Parameters<typeof describeUp>[0];
const paint = (_style: unknown, text: string) => text;

it('describeUp prints how to add the server to a client', () => {
  const said = describeUp(state, { paint, fromNpm: false, needsToken: false });
  expect(said).toContain('claude mcp add --transport http secateur http://127.0.0.1:8008/mcp\n');
});

it('describeUp prints the path of the token file if a token is needed, in a command without the secret', () => {
  const said = describeUp(state, { paint, fromNpm: false, needsToken: true });
  expect(said).toContain(
    'claude mcp add --transport http secateur http://127.0.0.1:8008/mcp --header "Authorization: Bearer $SECATEUR_BEARER_TOKEN"',
  );
  expect(said).toContain(
    'codex mcp add secateur --url http://127.0.0.1:8008/mcp --bearer-token-env-var SECATEUR_BEARER_TOKEN',
  );
});

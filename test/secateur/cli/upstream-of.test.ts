import { expect, it } from 'vitest';
import { upstreamOf } from '../../../packages/secateur/src/cli/connect/gateway-config.ts';

const url = 'http://127.0.0.1:9000/mcp';

it.each([
  ['the older SSE transport', { type: 'sse', url }, 'speaks the older SSE transport'],
  ['a token of the client', { url, bearer_token_env_var: 'T' }, 'takes its token from the client'],
  [
    'headers',
    { url, headers: { 'x-key': 'v' } },
    "carries what may be a secret, which stays in the client's file",
  ],
  [
    'another machine’s address',
    { url: 'https://mcp.example/?from=http://127.0.0.1/' },
    'may ask you to sign in, which only the client can do',
  ],
  ['nothing to call', { type: 'http' }, 'has neither a command nor an address'],
])('connect does not move a server with %s', (_, entry, reason) => {
  expect(upstreamOf(entry, undefined)).toBe(reason);
});

it('connect moves a server that uses Streamable HTTP on this machine', () => {
  expect(upstreamOf({ type: 'http', url }, undefined)).toEqual({ url });
});

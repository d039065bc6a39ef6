export const teamRequirements: Readonly<Record<string, string>> = {
  T1: 'a server with auth = "oauth" is served after a sign-in, tokens are refreshed without the user, a refused refresh names the command',
  T2: 'token material is readable by its owner alone and shows nowhere',
  T4: 'named tokens: bearer, constant time, hashed on disk, reloaded within 2 s, streams of revoked ones end',
  T5: 'beyond loopback nothing listens without tokens and declared TLS termination',
  T6: 'a recovery id works only for the token that caused the cut',
  T7: 'calls a minute, concurrent calls and bytes are limited per token: 429 with Retry-After',
  T3: 'secrets of upstreams come from the environment or a command, at start and again on 401; an unset one stops the start by name',
  T8: 'a tool hidden for a server or a token is neither listed nor callable',
  T11: 'GET /ready is 200 while new calls are welcome and 503 from the stop signal on; running calls finish',
  T14: 'ledger and metrics carry the name of the token, never the token',
  T12: 'the client address comes from X-Forwarded-For only where a trusted proxy says so',
};

import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { HttpHostOptions } from '../http-host.ts';
import { isLoopbackName } from './loopback.ts';

/** Refuses to listen where other machines can call, unless it was asked for and a token guards it. */
export function checkExposure(options: HttpHostOptions): void {
  const { host, allowRemote = false, bearerToken, tokens, tlsTerminated = false } = options;
  if (isLoopbackName(host.toLowerCase())) return;
  if (!allowRemote) {
    throw new DomainError('remote_not_allowed', `${host} can be reached from other machines`, {
      hint: 'Listen on 127.0.0.1, or allow remote clients explicitly.',
      data: { host },
    });
  }
  if ((bearerToken === undefined || bearerToken === '') && tokens?.required !== true) {
    throw new DomainError('bearer_token_required', `Listening on ${host} needs a bearer token`, {
      hint: 'Set the token in the environment; clients send it as "Authorization: Bearer …".',
      data: { host },
    });
  }
  if (!tlsTerminated) {
    throw new DomainError('tls_required', `Tokens would cross the network to ${host} in the clear`, {
      hint: 'Put a proxy that speaks TLS in front and say so with tls_terminated.',
      data: { host },
    });
  }
}

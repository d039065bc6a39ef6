import { DomainError } from '../../runtime/domain-error.ts';
import { isLoopbackName } from './loopback.ts';

export interface Exposure {
  readonly host: string;
  readonly allowRemote?: boolean;
  readonly bearerToken?: string | undefined;
}

/** Refuses to listen where other machines can call, unless it was asked for and a token guards it. */
export function checkExposure({ host, allowRemote = false, bearerToken }: Exposure): void {
  if (isLoopbackName(host.toLowerCase())) return;
  if (!allowRemote) {
    throw new DomainError('remote_not_allowed', `${host} can be reached from other machines`, {
      hint: 'Listen on 127.0.0.1, or allow remote clients explicitly.',
      data: { host },
    });
  }
  if (bearerToken === undefined || bearerToken === '') {
    throw new DomainError('bearer_token_required', `Listening on ${host} needs a bearer token`, {
      hint: 'Set the token in the environment; clients send it as "Authorization: Bearer …".',
      data: { host },
    });
  }
}

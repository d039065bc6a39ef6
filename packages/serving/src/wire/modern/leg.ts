import type { Dispatcher } from '../dispatcher.ts';
import type { HttpExchange } from '../http-route.ts';
import type { ReadMessage } from '../messages/rpc-message.ts';
import { isModernVersion, META, type RpcServer } from '../protocol.ts';

/** Answers one request of the revisions since 2026-07-28, which the official SDK speaks. */
export type ModernHttp = (exchange: HttpExchange, body: unknown) => Promise<void>;

/** The SDK is loaded when the first such client arrives. */
export function lazyModernHttp(server: RpcServer, dispatcher: Dispatcher): ModernHttp {
  let http: Promise<ModernHttp> | undefined;
  return async (exchange, body) => {
    http ??= import('./sdk-server.ts').then(({ modernHttp }) => modernHttp(server, dispatcher));
    return (await http)(exchange, body);
  };
}

/** Requests of those revisions name their version each time; only a discovery may arrive without. */
export function isModernMessage(message: ReadMessage): boolean {
  if (message.kind !== 'request' && message.kind !== 'notification') return false;
  const meta = message.params._meta;
  const claims = typeof meta === 'object' && meta !== null && Object.hasOwn(meta, META.version);
  return claims || message.method === 'server/discover';
}

/** Over HTTP a header may say it first. */
export function isModernRequest(versionHeader: unknown, message: ReadMessage): boolean {
  return isModernVersion(versionHeader) || isModernMessage(message);
}

import type { Dispatcher } from '../dispatcher.ts';
import type { HttpExchange } from '../http-route.ts';
import type { ReadMessage } from '../messages/rpc-message.ts';
import { isModernVersion, META } from '../protocol.ts';
import type { RpcServer } from '../rpc-server.ts';
import type { ModernConnection, ModernWriter } from './stdio.ts';

/** The revisions since 2026-07-28, spoken by the official SDK. It is loaded when the first such client arrives. */
export interface ModernLeg {
  answerHttp(exchange: HttpExchange, body: unknown): Promise<void>;
  connectStdio(writer: ModernWriter): Promise<ModernConnection>;
}

export function createModernLeg(server: RpcServer, dispatcher: Dispatcher): ModernLeg {
  let http: Promise<(exchange: HttpExchange, body: unknown) => Promise<void>> | undefined;
  return {
    answerHttp: async (exchange, body) => {
      http ??= import('./http.ts').then(({ modernHttp }) => modernHttp(server, dispatcher));
      return (await http)(exchange, body);
    },
    connectStdio: async (writer) => {
      const { connectModernStdio } = await import('./stdio.ts');
      return connectModernStdio({ server, dispatcher, writer });
    },
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

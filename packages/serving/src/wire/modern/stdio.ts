import { isJSONRPCRequest, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { INVALID_REQUEST, RpcError } from '@secateur/base/tools/rpc-error.ts';
import { type Dispatcher, errorResponse, type RpcResponse } from '../dispatcher.ts';
import { callKey, cancelledId } from '../messages/in-flight.ts';
import type { ReadMessage, RpcRequest } from '../messages/rpc-message.ts';
import type { RpcServer } from '../rpc-server.ts';
import type { LineWriter } from '../stdio-host/line-writer.ts';
import { sdkServer } from './sdk-server.ts';

export interface ModernConnection {
  /** Resolves when the message is answered, taken back, or wanted no answer. */
  deliver(message: ReadMessage, json: unknown): Promise<void>;
  close(): Promise<void>;
}

/** The SDK's stdio entry over a transport of ours: it sees modern messages only, our line reader and writer stay in charge. */
export function connectModernStdio(
  server: RpcServer,
  dispatcher: Dispatcher,
  writer: LineWriter,
): ModernConnection {
  const unanswered = new Map<string, () => void>();
  const settle = (id: unknown) => {
    const key = callKey(id as string | number);
    unanswered.get(key)?.();
    unanswered.delete(key);
  };
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if (!('method' in message)) {
        writer.writeJson(await dispatcher.encode(message as RpcResponse));
        settle(message.id);
      } else if (message.method === 'notifications/progress') writer.offer(message);
      else writer.write(message);
    },
  };
  const connection = serveStdio(() => sdkServer(server, dispatcher), { transport, legacy: 'reject' });

  return {
    close: async () => {
      await connection.close();
      for (const giveUp of unanswered.values()) giveUp();
    },
    deliver: (message, json) => {
      if (message.kind === 'request' && !isJSONRPCRequest(json)) {
        // The SDK would drop it without a word.
        writer.write(errorResponse(message.id, invalidEnvelope));
        return Promise.resolve();
      }
      const answered = isOwedAnAnswer(message) ? waitFor(unanswered, callKey(message.id)) : Promise.resolve();
      transport.onmessage?.(json as JSONRPCMessage);
      if (message.kind === 'notification' && message.method === 'notifications/cancelled')
        settle(cancelledId(message.params));
      return answered;
    },
  };
}

const invalidEnvelope = new RpcError(
  INVALID_REQUEST,
  'Invalid request: the 2026-07-28 revision does not allow this shape',
);

/** A subscription stays open for as long as the connection does; no caller waits for its end. */
function isOwedAnAnswer(message: ReadMessage): message is RpcRequest {
  return message.kind === 'request' && message.method !== 'subscriptions/listen';
}

/** Two requests under one id are a client's mistake; the first answer then counts for both. */
function waitFor(unanswered: Map<string, () => void>, key: string): Promise<void> {
  const earlier = unanswered.get(key);
  return new Promise((resolve) => {
    unanswered.set(key, () => {
      earlier?.();
      resolve();
    });
  });
}

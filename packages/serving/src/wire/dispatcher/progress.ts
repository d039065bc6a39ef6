import type { Fields } from '@secateur/base/text/json-value.ts';
import type { ProgressUpdate } from '@secateur/base/tools/tool.ts';
import type { CallPorts } from '../dispatcher.ts';

export interface ProgressSink {
  send(update: ProgressUpdate): void;
  /** Progress after the answer would confuse the client; later updates are dropped. */
  end(): void;
}

export function progressSink(params: Fields, notify: CallPorts['notify']): ProgressSink {
  const progressToken = readToken(params._meta);
  let open = progressToken !== undefined;
  return {
    send: (update) => {
      if (!open) return;
      notify?.({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...update } });
    },
    end: () => {
      open = false;
    },
  };
}

function readToken(meta: unknown): string | number | undefined {
  if (typeof meta !== 'object' || meta === null) return undefined;
  const token = (meta as { progressToken?: unknown }).progressToken;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

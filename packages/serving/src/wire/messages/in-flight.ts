import type { RpcId } from './rpc-message.ts';

/** The calls a client may still take back with `notifications/cancelled`. */
export class InFlight {
  readonly #calls = new Map<string, AbortController>();

  begin(key: string, call: AbortController): void {
    this.#calls.set(key, call);
  }

  end(key: string, call: AbortController): void {
    if (this.#calls.get(key) === call) this.#calls.delete(key);
  }

  cancel(key: string): void {
    this.#calls.get(key)?.abort();
  }

  abortAll(): void {
    for (const call of this.#calls.values()) call.abort();
  }
}

/** `1` and `"1"` are different ids, and the ids of two sessions have nothing to do with each other. */
export function callKey(id: RpcId, session = ''): string {
  return `${session} ${typeof id}:${id}`;
}

/** The call a `notifications/cancelled` means; `undefined` when it names none. */
export function cancelledId(params: Readonly<Record<string, unknown>>): RpcId | undefined {
  const { requestId } = params;
  return typeof requestId === 'string' || typeof requestId === 'number' ? requestId : undefined;
}

/**
 * Remembers raw texts under their ids. Every store keeps the same contract (`test/recovery/`): what `put`
 * resolved for is there for `get` until its time to live ends or, in a bounded store, until newer texts push it out.
 */
export interface RecoveryStore {
  /** The secret that makes ids unguessable; kept with the data, so that ids stay stable as long as the data does. */
  idKey(): Promise<Uint8Array>;
  /** Resolves once the text is as durable as the store promises. Putting an id again renews its time to live. */
  put(id: string, text: string): Promise<void>;
  /** Rejects with `DamagedText` where what is kept is not what was put. */
  get(id: string): Promise<string | undefined>;
  /** Bytes of the texts it holds; absent where another program keeps them. */
  heldBytes?(): number | undefined;
  close(): Promise<void>;
}

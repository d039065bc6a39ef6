import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import type { RecoveryStore } from '@secateur/engine/recovery/store.ts';

const LOOK_EVERY_MS = 1000;

/** One failure may be a connection that is being opened. */
const FAILURES_UNTIL_DOWN = 2;

/** Looks regularly whether a shared store answers; logs each change once. */
export class StoreWatch {
  readonly #store: Pick<RecoveryStore, 'idKey'>;
  readonly #log: EventLog;
  readonly #timer: NodeJS.Timeout;
  #failures = 0;
  #isLooking = false;

  constructor(store: Pick<RecoveryStore, 'idKey'>, log: EventLog) {
    this.#store = store;
    this.#log = log;
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS).unref();
  }

  get isUp(): boolean {
    return this.#failures < FAILURES_UNTIL_DOWN;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const wasUp = this.isUp;
    const isAnswered = await this.#store.idKey().then(
      () => true,
      () => false,
    );
    this.#isLooking = false;
    this.#failures = isAnswered ? 0 : this.#failures + 1;
    if (this.isUp === wasUp) return;
    if (this.isUp) this.#log.emit({ level: 'info', event: 'store.up', data: {} });
    else
      this.#log.emit({
        level: 'error',
        event: 'store.down',
        data: { effect: 'texts are returned unchanged' },
      });
  }
}

import type { Ledger, NewEntry } from './ledger.ts';
import { CONTENT_TYPE } from './metrics/exposition.ts';
import { MetricsRegistry } from './metrics/registry.ts';

export interface AnsweredCall {
  /** Which of our servers answered. */
  readonly server: string;
  readonly status: number;
  readonly seconds: number;
  /** The name of the token it came with. */
  readonly user: string | undefined;
}

/** What is looked up when somebody asks. */
export interface Gauges {
  readonly storeBytes: number | undefined;
  /** Whether the shared store answers; `undefined` if the store is not shared. */
  readonly isStoreUp?: boolean | undefined;
  readonly waitingCuts: number;
  /** By name of the server behind the gateway: is it called? */
  readonly upstreams: Readonly<Record<string, boolean>>;
}

/** Operating figures of one process. Nothing is counted before a server offers them. */
export class Metrics {
  readonly #gauges: () => Promise<Gauges>;
  #upstreams: () => Gauges['upstreams'] = () => ({});
  #isServed = false;
  readonly #registry = new MetricsRegistry();

  constructor(gauges: () => Promise<Omit<Gauges, 'upstreams'>>) {
    this.#gauges = async () => ({ ...(await gauges()), upstreams: this.#upstreams() });
  }

  /** Where the state of the servers behind the gateway is to be had. */
  watchUpstreams(upstreams: () => Gauges['upstreams']): void {
    this.#upstreams = upstreams;
  }

  /** From now on everything counts. */
  serve(): void {
    this.#isServed = true;
  }

  /** The same ledger, with an eye on what goes into it. */
  counting(ledger: Ledger): Ledger {
    return {
      record: (entry: NewEntry) => {
        ledger.record(entry);
        if (this.#isServed) this.#registry.entry(entry);
      },
    };
  }

  answered(call: AnsweredCall): void {
    if (this.#isServed) this.#registry.call(call);
  }

  /** Who asks with a named token sees of the named ones its own. */
  async text(user: string | undefined): Promise<{ contentType: string; body: string }> {
    return { contentType: CONTENT_TYPE, body: this.#registry.text(await this.#gauges(), user) };
  }
}

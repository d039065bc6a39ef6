import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { isSecretName } from '@secateur/base/redaction/secret-names.ts';
import {
  type EventLog,
  jsonEventLog,
  type LineSink,
  textEventLog,
} from '@secateur/base/runtime/event-log.ts';
import { packageVersion } from '@secateur/base/runtime/loading.ts';
import { systemClock } from '@secateur/base/runtime/time.ts';
import { notingPruner } from '@secateur/engine/cut-note.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { createNotes, type Notes } from '@secateur/engine/recovery/notes.ts';
import { checkStore, type RecoveryStore } from '@secateur/engine/recovery/store.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import { Tokens } from '@secateur/serving/wire/tokens.ts';
import type { Ledger } from '../savings/ledger.ts';
import { Metrics } from '../savings/metrics.ts';
import type { Traces } from '../savings/traces.ts';
import type { OAuthDeps } from '../servers/gateway/oauth.ts';
import { SignInStore } from '../servers/gateway/sign-in-store.ts';
import type { CommonDeps } from '../servers/prune-outcome.ts';
import {
  openLedger,
  type openPruner,
  openRecoveryStore,
  recoveryOver,
  type StoresConfig,
  setAsideLog,
} from './open-stores.ts';

/** Dependencies shared by the servers of one process. Each server can recover the texts of all servers. */
export interface ServerDeps extends CommonDeps {
  /** Records of why lines were removed or kept. They are stored with their text. */
  readonly notes: Notes;
  /** Metrics of the process; `undefined` if switched off. */
  readonly metrics: Metrics | undefined;
  /** Sender of spans to a collector; `undefined` if no collector is configured. */
  readonly traces: Traces | undefined;
  /** Token that a caller of the focus tools must send if the system cannot tell its user. */
  readonly localToken?: string | undefined;
  /** Returns the name of the current call's token; `undefined` if the call needed none. */
  owner(): string | undefined;
  /** Returns the named tokens. They are read when the first server that listens needs them. */
  tokens(): Promise<Tokens>;
  /** Returns what `GET /ready` reports about the shared store. */
  readiness(): Readonly<Record<string, unknown>>;
  /** Returns the dependencies of sign-ins at upstreams. `user` returns the user of the current call. */
  signIns(user: () => string | undefined): OAuthDeps;
  /** Returns the secret that signs session ids. All processes with the same store have the same secret. */
  sessionKey(): Promise<Uint8Array>;
  /** Returns the pruning engine, which all servers share. Starts it on the first call. */
  pruner(config: Config['pruner']): Promise<Pruner>;
  close(): Promise<void>;
}

/** Opens the dependencies while `use` runs, and closes them if it fails. Open threads and stores would keep the process alive. */
export async function withServerDeps<Result>(
  config: StoresConfig,
  log: EventLog,
  use: (parts: ServerDeps) => Promise<Result>,
): Promise<Result> {
  const parts = await openServerDeps(config, log);
  try {
    return await use(parts);
  } finally {
    await parts.close();
  }
}

/** Opens the dependencies; the caller closes them. */
export async function openServerDeps(config: StoresConfig, log: EventLog): Promise<ServerDeps> {
  let tokens: Promise<Tokens> | undefined;
  let owners: Tokens | undefined;
  const owner = () => owners?.current()?.name;
  const store = await openRecoveryStore(config.recovery, {
    ...{ owner, onSetAside: setAsideLog(log), sweepEveryMs: SWEEP_EVERY_MS },
  });
  const check = checkSoon(store, log);
  const recovery = recoveryOver(store, config.recovery);
  const notes = createNotes(store);
  const watch = config.recovery.store === 'redis' ? watchStore(store, log) : undefined;
  let opened: ReturnType<typeof openPruner> | undefined;
  const metrics =
    config.audit.level === 'off'
      ? undefined
      : new Metrics(async () => ({
          storeBytes: await store.heldBytes?.(),
          isStoreUp: watch?.isUp(),
          waitingCuts: (await opened)?.waiting() ?? 0,
        }));
  const traces = metrics && (await openTraces(config.audit));
  const ledger = ledgerFor(owner, [openLedger(config), metrics, traces]);
  return {
    ...{ recovery, notes, ledger, metrics, traces, log, owner },
    clock: systemClock,
    version: packageVersion(),
    tokens: () => {
      tokens ??= openTokens(config.recovery, log).then((opened) => {
        owners = opened;
        return opened;
      });
      return tokens;
    },
    sessionKey: keyFrom(store),
    readiness: () => (watch === undefined ? {} : { store: watch.isUp() ? 'up' : 'down' }),
    signIns: (user) => ({ store: new SignInStore(signInFolder(config.recovery)), clock: systemClock, user }),
    pruner: async (prunerConfig) => {
      opened ??= import('./open-stores.ts').then((room) =>
        room.openPruner(prunerConfig, {
          ...{ recovery, clock: systemClock, owner },
          openSharedCache: () => openShared('RedisCache', config.recovery),
        }),
      );
      const { pruner } = await opened;
      return config.audit.level === 'full' ? notingPruner(pruner, notes) : pruner;
    },
    close: async () => {
      watch?.close();
      await (await opened)?.close();
      owners?.close();
      await notes.settled();
      await traces?.flush();
      await check.settled();
      await recovery.close();
    },
  };
}

/** Returns the key in the shared store, or a key of this process if the store is not available. */
function keyFrom(store: RecoveryStore): ServerDeps['sessionKey'] {
  const derived = (from: Uint8Array) =>
    createHmac('sha256', from).update('session ids of the gateway').digest();
  const spare = derived(randomBytes(32));
  let shared: Uint8Array | undefined;
  return async () => {
    shared ??= await store.idKey().then(derived, () => undefined);
    return shared ?? spare;
  };
}

const SWEEP_EVERY_MS = 600_000;
/** Delay of the store check in ms. A command that ends earlier needs no check, because its own call reports a failure. */
const CHECK_AFTER_MS = 100;

/** Checks the store after the server has started. If the store fails, the server runs without cutting anything. */
function checkSoon(store: RecoveryStore, log: EventLog): { settled(): Promise<void> } {
  let running: Promise<void> | undefined;
  const timer = setTimeout(() => {
    running = checkStore(store, randomBytes).then((reason) => {
      if (reason !== undefined)
        log.emit({ level: 'error', event: 'recovery.check_failed', data: { reason } });
    });
  }, CHECK_AFTER_MS).unref();
  return {
    settled: async () => {
      clearTimeout(timer);
      await running;
    },
  };
}

/** Returns a ledger that passes each entry to all `ledgers`, with the name of the call's token. */
function ledgerFor(owner: () => string | undefined, ledgers: readonly (Ledger | undefined)[]): Ledger {
  return {
    record: (entry) => {
      for (const ledger of ledgers) ledger?.record({ ...entry, user: owner() });
    },
  };
}

export function tokensPath({ tokensFile, dataDir }: Config['recovery']): string {
  return tokensFile ?? join(dataDir, 'tokens.json');
}

async function openTokens(config: Config['recovery'], log: EventLog): Promise<Tokens> {
  return Tokens.open({
    path: tokensPath(config),
    clock: systemClock,
    meter: await openShared('RedisMeter', config),
    onUnreadable: (error) =>
      log.emit({ level: 'error', event: 'tokens.unreadable', data: { error: String(error) } }),
  });
}

/** Opens what processes share in Redis: the counter of calls, or the cache of paid scorer results. */
async function openShared<Kind extends 'RedisMeter' | 'RedisCache'>(
  kind: Kind,
  { store, redisUrl: url, redisPrefix: prefix }: Config['recovery'],
) {
  if (store !== 'redis') return undefined;
  const shared = await import('@secateur/engine/recovery/redis.ts');
  return new shared[kind]({ url, prefix }) as InstanceType<(typeof shared)[Kind]>;
}

export function signInFolder({ dataDir }: Config['recovery']): string {
  return join(dataDir, 'sign-ins');
}

async function openTraces({ otlpEndpoint, otlpHeaders: headers }: Config['audit']) {
  if (otlpEndpoint === undefined) return undefined;
  const { Traces } = await import('../savings/traces.ts');
  const parts = { version: packageVersion(), clock: systemClock, randomBytes, fetch };
  return new Traces({ endpoint: otlpEndpoint, headers, ...parts });
}

const LOOK_EVERY_MS = 1000;

/** Number of consecutive failures after which the store counts as down. A single one may occur while a connection opens. */
const FAILURES_UNTIL_DOWN = 2;

/** Checks regularly whether a shared store answers. Logs each change once. */
function watchStore(store: RecoveryStore, log: EventLog) {
  let failures = 0;
  let isLooking = false;
  const isUp = () => failures < FAILURES_UNTIL_DOWN;
  const look = async () => {
    const wasUp = isUp();
    const isAnswered = await store.idKey().then(
      () => true,
      () => false,
    );
    failures = isAnswered ? 0 : failures + 1;
    if (isUp() === wasUp) return;
    if (wasUp)
      log.emit({ level: 'error', event: 'store.down', data: { effect: 'texts are returned unchanged' } });
    else log.emit({ level: 'info', event: 'store.up', data: {} });
  };
  const timer = setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await look();
    isLooking = false;
  }, LOOK_EVERY_MS).unref();
  return { isUp, close: () => clearInterval(timer) };
}

/** Creates an event log. Secrets in its lines are redacted by the same rules as in prompts. */
export function redactedLog(sink: LineSink, format: 'text' | 'json' = 'text'): EventLog {
  const log = (format === 'text' ? textEventLog : jsonEventLog)(sink, systemClock);
  return {
    emit: ({ data, ...event }) => log.emit({ ...event, ...(data && { data: withoutSecrets(data) }) }),
  };
}

/** Redacts each value separately. A whole line of JSON could become invalid. */
function withoutSecrets(data: Record<string, unknown>): Record<string, unknown> {
  const redacted = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return isSecretName(name) ? '[REDACTED:secret]' : redactSecrets(value);
  };
  return JSON.parse(JSON.stringify(data, redacted)) as Record<string, unknown>;
}

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { deadlineIn, systemClock } from '@secateur/base/runtime/time.ts';
import type { Pruner } from '../pruner.ts';
import type { Focus } from '../ranking/scorer.ts';
import type { Notes } from '../recovery/notes.ts';
import { openStore, type StoreOptions } from '../recovery/open-store.ts';
import type { Recovery } from '../recovery/recovery.ts';
import type { RecoveryStore } from '../recovery/store.ts';
import {
  callText,
  DEFAULT_LEAST,
  DEFAULT_OPTIONS,
  kindOfText,
  type Origin,
  type PruneOptions,
  type PruneRequest,
} from '../request.ts';
import type { CutOptions, SecateurOptions } from '../secateur.ts';
import type { PruneEngine } from '../worker-engine.ts';

/** Store for removed text. */
export type StoreChoice = Pick<StoreOptions, 'kind' | 'directory' | 'redisUrl'>;

export interface OpenedStore {
  readonly recovery: Recovery;
  readonly notes: Notes;
}

/** Store and engine of one `Secateur`. Each is opened when it is first needed. */
export interface EngineAndStore {
  /** Returns the store. Rejects if it cannot be opened, or after `close`. The next call tries again. */
  store(): Promise<OpenedStore>;
  pruner(store: OpenedStore): Promise<Pruner>;
  isClosed(): boolean;
  close(): Promise<void>;
}

/** Reads the options that select a store. Throws `config_invalid` if the store is unknown. */
export function storeOf({ dataDir, store }: SecateurOptions): StoreChoice {
  const directory = dataDir === undefined ? '' : join(dataDir, 'recovery');
  const kind = store ?? (dataDir === undefined ? 'memory' : 'files');
  if (kind === 'memory') return { kind, directory, redisUrl: '' };
  if (kind === 'files' && dataDir !== undefined) return { kind: 'embedded', directory, redisUrl: '' };
  if (/^redis(?:s|\+sentinel|\+cluster)?:\/\//.test(kind))
    return { kind: 'redis', directory, redisUrl: kind };
  throw new DomainError('config_invalid', 'the option `store` does not name a store', {
    hint: "Use 'memory', 'files' together with `dataDir`, or an address 'redis://host:port'.",
  });
}

const WEEK_MS = 604_800_000;
const MAX_STORE_BYTES = 268_435_456;
const MAX_INPUT_CHARS = 2_097_152;

export function openEngineAndStore({
  store,
  maxWorkers,
}: {
  store: StoreChoice;
  maxWorkers: number;
}): EngineAndStore {
  if (!Number.isInteger(maxWorkers) || maxWorkers < 0)
    throw new DomainError('config_invalid', 'the option `maxWorkers` must be a whole number from 0 up');
  let opening: Promise<OpenedStore> | undefined;
  let engine: Promise<PruneEngine> | undefined;
  let isClosed = false;
  return {
    store: () => {
      if (isClosed) return Promise.reject(closedError());
      opening ??= openedStore(store).catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    pruner: async ({ recovery, notes }) => {
      engine ??= openEngine(maxWorkers);
      const parts = { recovery, engine: await engine, clock: systemClock, maxInputChars: MAX_INPUT_CHARS };
      const [pruning, noting] = await Promise.all([import('../pruner.ts'), import('../cut-note.ts')]);
      return noting.notingPruner(pruning.createPruner(parts), notes);
    },
    isClosed: () => isClosed,
    close: async () => {
      isClosed = true;
      const [opened, started] = await Promise.all([opening?.catch(() => undefined), engine]);
      await started?.close();
      await opened?.notes.settled();
      await opened?.recovery.close();
    },
  };
}

async function openedStore(choice: StoreChoice): Promise<OpenedStore> {
  const limits = { ttlMs: WEEK_MS, maxBytes: MAX_STORE_BYTES };
  const [{ createRecovery }, { createNotes }, store] = await Promise.all([
    import('../recovery/recovery.ts'),
    import('../recovery/notes.ts'),
    openStore({ ...choice, ...limits, redisPrefix: 'secateur:', clock: systemClock }),
  ]);
  if (choice.kind === 'redis') await untilAnswering(store);
  return { recovery: createRecovery({ store, randomBytes }), notes: createNotes(store) };
}

const MAX_CONNECT_MS = 1000;

/** Waits until the store is connected. Before that all commands fail, and the first text would be returned unchanged. */
async function untilAnswering(store: RecoveryStore): Promise<void> {
  const deadline = deadlineIn(MAX_CONNECT_MS, systemClock);
  const answers = () => store.idKey().then(Boolean, () => false);
  while (!(await answers()) && !deadline.passed()) await sleep(CONNECT_POLL_MS);
}

const CONNECT_POLL_MS = 20;

/** Opens the engine. In the calling thread, the engine itself stops when the time of a cut is over. */
async function openEngine(maxWorkers: number): Promise<PruneEngine> {
  if (maxWorkers === 0) return (await import('../inline-engine.ts')).inlineEngine();
  return (await import('../worker-engine.ts')).workerEngine({ workers: maxWorkers });
}

function closedError(): DomainError {
  return new DomainError('recovery_unavailable', 'this Sécateur is closed', {
    hint: 'Create another one with createSecateur().',
  });
}

const TIMEOUT_MS = 10_000;
/** Maximum share of lines that a cut by rules may remove. */
const MAX_PRUNE_RATIO = 0.95;

/** Returns the request of a cut; `undefined` if an option is invalid. */
export function requestOf(
  text: unknown,
  options: CutOptions,
  minChars: number | undefined,
): PruneRequest | undefined {
  const { maxPruneRatio = MAX_PRUNE_RATIO } = options;
  if (typeof text !== 'string' || !(maxPruneRatio >= 0 && maxPruneRatio <= 1)) return undefined;
  const kind = kindOfText(originOf(options), text);
  return {
    text,
    focus: focusOf(options, kind.origin),
    ...kind,
    ...(options.sourceType && { sourceType: options.sourceType }),
    intent: intentOf(options),
    options: { ...pruneOptions(options, minChars), maxPruneRatio },
  };
}

function intentOf({ maxPruneRatio, question }: CutOptions): NonNullable<PruneRequest['intent']> {
  if (maxPruneRatio !== undefined) return 'capped';
  return question === undefined ? 'implicit' : 'explicit';
}

function originOf({ command, path, pattern, firstLine }: CutOptions): Origin {
  if (command !== undefined) return { kind: 'command', command };
  if (pattern !== undefined) return { kind: 'search', pattern };
  return path === undefined
    ? { kind: 'result' }
    : { kind: 'file', path, isPart: firstLine !== undefined && firstLine > 1 };
}

function pruneOptions(
  { maxPruneRatio, markers = 'compact', lineNumbers = false, firstLine }: CutOptions,
  minChars: number | undefined,
): Omit<PruneOptions, 'maxPruneRatio'> {
  const least = { ...DEFAULT_LEAST, ...(minChars !== undefined && { characters: minChars }) };
  const leastOfCapped =
    minChars === undefined ? undefined : { characters: minChars, savedTokens: 0, savedShare: 0 };
  const required = maxPruneRatio === undefined ? least : leastOfCapped;
  return {
    ...DEFAULT_OPTIONS,
    timeoutMs: TIMEOUT_MS,
    annotateLines: lineNumbers,
    includeMarkers: markers !== 'none',
    markers: markers === 'none' ? 'canonical' : markers,
    ...(required && { least: required }),
    ...(firstLine !== undefined && { firstLine }),
  };
}

/** Returns the focus. It is marked as confidential, because its words may come from a conversation and must not be stored. */
function focusOf({ question, task, said = [], shown }: CutOptions, origin: Origin): Focus {
  const words = typeof said === 'string' ? [said] : said;
  const command = callText(origin);
  const earlier = question === undefined ? words.slice(0, -1) : words;
  return {
    question: question ?? words.at(-1) ?? task ?? command,
    ...(task !== undefined && { task }),
    ...(earlier.length > 0 && { recentWords: earlier }),
    ...(command !== '' && { command }),
    ...(shown && { shown }),
    isConfidential: true,
  };
}

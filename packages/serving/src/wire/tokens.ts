import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { readTokenFile, type TokenGrant } from './token-file.ts';

export interface TokenDeps {
  readonly path: string;
  readonly clock: Clock;
  /** Counts calls for all processes behind one address. Default: counts only calls of this process. */
  readonly meter?: CallMeter | undefined;
  /** Called with the reason why a changed file is not used; the previous tokens remain valid. */
  onUnreadable(error: unknown): void;
}

/**
 * Interval in ms at which the file is checked. Polling detects every way of replacing a file on every file system;
 * changes apply within two seconds.
 */
const POLL_MS = 1000;

/**
 * Named tokens of a server: who calls, what they may do, and for whom the current work is done. The file may be created
 * or changed at any time. After tokens existed, calls need a token until the server is restarted.
 */
export class Tokens {
  readonly #parts: TokenDeps;
  readonly #calls = new AsyncLocalStorage<TokenGrant>();
  readonly limits: CallLimits;
  readonly #open = new Map<() => void, string>();
  #grants: readonly TokenGrant[] | undefined;

  private constructor(parts: TokenDeps, grants: readonly TokenGrant[] | undefined) {
    this.#parts = parts;
    this.#grants = grants;
    this.limits = new CallLimits(parts.clock, parts.meter);
  }

  /** Opens the token file. Throws `tokens_unreadable`, because a server must not start without readable tokens. */
  static async open(parts: TokenDeps): Promise<Tokens> {
    const tokens = new Tokens(parts, await readTokenFile(parts.path));
    watchFile(parts.path, { interval: POLL_MS, persistent: false }, tokens.#reload);
    return tokens;
  }

  close(): void {
    unwatchFile(this.#parts.path, this.#reload);
    this.#parts.meter?.close?.();
  }

  /** Whether calls need a named token. */
  get required(): boolean {
    return this.#grants !== undefined;
  }

  /** Returns the grant of a token. Compares with every entry, so that the duration reveals no information. */
  find(token: string | undefined): TokenGrant | undefined {
    // A caller without a token is unknown, even if an entry has the hash of an empty string.
    if (token === undefined || token === '') return undefined;
    const given = createHash('sha256').update(token).digest();
    let found: TokenGrant | undefined;
    for (const grant of this.#grants ?? []) {
      if (timingSafeEqual(given, Buffer.from(grant.sha256, 'hex'))) found = grant;
    }
    return found;
  }

  /** Returns the named token with which a browser logged in to the dashboard. */
  findPageUser(request: Pick<IncomingMessage, 'headers'>): TokenGrant | undefined {
    const claimed = claimedTokenName(request);
    const grant = claimed && this.#grants?.find(({ name }) => name === claimed);
    return grant && hasPageCookie(request, holderOf(grant)) ? grant : undefined;
  }

  /** Calls `end` if the token is revoked before the returned function is called. */
  onRevoked({ sha256 }: TokenGrant, end: () => void): () => void {
    this.#open.set(end, sha256);
    return () => this.#open.delete(end);
  }

  /** Runs one call on behalf of its token. */
  async serve(grant: TokenGrant, call: () => Promise<void>): Promise<void> {
    await this.#calls.run(grant, call);
  }

  /** Returns the token of the call whose work is running. */
  current(): TokenGrant | undefined {
    return this.#calls.getStore();
  }

  readonly #reload = (): void => {
    readTokenFile(this.#parts.path).then(
      (grants) => {
        // A missing file revokes all tokens; it does not admit callers without a token.
        if (grants !== undefined || this.required) this.#replace(grants ?? []);
      },
      (error: unknown) => this.#parts.onUnreadable(error),
    );
  };

  #replace(grants: readonly TokenGrant[]): void {
    this.#grants = grants;
    const valid = new Set(grants.map(({ sha256 }) => sha256));
    for (const [end, sha256] of this.#open) if (!valid.has(sha256)) end();
  }
}

export function holderOf({ name, sha256 }: TokenGrant): PageHolder {
  return { name, secret: sha256 };
}

export function rulesOf(grant: TokenGrant | undefined): ToolRules {
  return { allow: grant?.allowTools, deny: grant?.denyTools };
}

/** Adds to a counter that starts at 0 each minute, and returns its value. */
export interface CallMeter {
  add(counter: string, amount: number): Promise<number>;
  close?(): void;
}

/** Why a call is refused, and after how many seconds it may be retried. */
interface Refusal {
  readonly message: string;
  readonly retryAfterS: number;
}

const MINUTE_MS = 60_000;

/** Limits calls and bytes per minute, and concurrent calls, of each token. */
export class CallLimits {
  readonly #clock: Clock;
  readonly #shared: CallMeter | undefined;
  readonly #own: CallMeter;
  readonly #running = new Map<string, number>();

  constructor(clock: Clock, meter: CallMeter | undefined) {
    this.#clock = clock;
    this.#shared = meter;
    this.#own = minuteCounters();
  }

  /** Counts a call before its body is read; returns a refusal, with the time to retry, at a limit. */
  async admit(grant: TokenGrant, bytes: number): Promise<Refusal | undefined> {
    const running = this.#running.get(grant.sha256) ?? 0;
    if (running >= (grant.concurrentCalls ?? Number.POSITIVE_INFINITY)) {
      return { message: `The token ${grant.name} has ${running} calls running already`, retryAfterS: 1 };
    }
    // Counted before the first `await`, so that calls which arrive together do not all pass.
    this.#running.set(grant.sha256, running + 1);
    const refusal = await this.#overMinute(grant, bytes);
    if (refusal !== undefined) this.release(grant);
    return refusal;
  }

  /** Ends a call: its answer was sent, or the client disconnected. */
  release({ sha256 }: TokenGrant): void {
    const running = (this.#running.get(sha256) ?? 1) - 1;
    if (running > 0) this.#running.set(sha256, running);
    else this.#running.delete(sha256);
  }

  async #overMinute(grant: TokenGrant, bytes: number): Promise<Refusal | undefined> {
    const { name, callsPerMinute, bytesPerMinute } = grant;
    const retryAfterS = Math.ceil((MINUTE_MS - (this.#clock.now() % MINUTE_MS)) / 1000);
    if (callsPerMinute !== undefined && (await this.#add(name, 'calls', 1)) > callsPerMinute) {
      return { message: `The token ${name} may make ${callsPerMinute} calls a minute`, retryAfterS };
    }
    if (bytesPerMinute !== undefined && (await this.#add(name, 'bytes', bytes)) > bytesPerMinute) {
      return { message: `The token ${name} may send ${bytesPerMinute} bytes a minute`, retryAfterS };
    }
    return undefined;
  }

  /** Adds to the shared counter. If that fails, the counter of this process decides. */
  async #add(name: string, what: string, amount: number): Promise<number> {
    const counter = `${name}:${what}:${Math.floor(this.#clock.now() / MINUTE_MS)}`;
    const own = await this.#own.add(counter, amount);
    return (await this.#shared?.add(counter, amount).catch(() => own)) ?? own;
  }
}

/** Creates the counters of this process. Counters of past minutes are deleted. */
function minuteCounters(): CallMeter {
  const counts = new Map<string, number>();
  return {
    add: async (counter, amount) => {
      const minute = counter.slice(counter.lastIndexOf(':'));
      for (const each of counts.keys()) if (!each.endsWith(minute)) counts.delete(each);
      const count = (counts.get(counter) ?? 0) + amount;
      counts.set(counter, count);
      return count;
    },
  };
}

const NAME = 'secateur_page';

/** Holder of a dashboard cookie: the token of the server, or a named token, identified by its hash. */
export interface PageHolder {
  /** Name of the token; `undefined` for the token of the server. */
  readonly name?: string | undefined;
  readonly secret: string;
}

/**
 * Returns the cookie of a browser that logged in. It is derived from the token, so that a thief of the cookie can see
 * the dashboard and nothing else. Browsers send it only from the dashboard, with `isSecure` only over TLS, and hide it
 * from scripts.
 */
export function pageCookie(holder: PageHolder, { isSecure = false } = {}): string {
  const secure = isSecure ? '; Secure' : '';
  return `${NAME}=${proofOf(holder)}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

export function hasPageCookie({ headers }: Pick<IncomingMessage, 'headers'>, holder: PageHolder): boolean {
  const given = cookieIn(headers.cookie);
  return given !== undefined && constantTimeEquals(given, proofOf(holder));
}

/** Returns the token name in a cookie, which `hasPageCookie` verifies. */
export function claimedTokenName({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const [name, proof] = cookieIn(headers.cookie)?.split(':') ?? [];
  return proof === undefined ? undefined : name;
}

/** Compares two secrets in constant time, by their digests, which have equal lengths. */
export function constantTimeEquals(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function cookieIn(header = ''): string | undefined {
  const pairs = header.split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
}

function proofOf({ name, secret }: PageHolder): string {
  const proof = createHmac('sha256', secret).update(NAME).digest('base64url');
  return name === undefined ? proof : `${name}:${proof}`;
}

/** Tools that a caller may see and call. Names match exactly; `*` at the end matches any text. */
export interface ToolRules {
  /** If set, only these tools are allowed. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

export function allowsTool({ allow, deny }: ToolRules, name: string): boolean {
  const matches = (rule: string) => (rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule);
  const isIn = (list: readonly string[]) => list.some(matches);
  return (allow === undefined || isIn(allow)) && !isIn(deny ?? []);
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { readTokenFile, type TokenGrant } from './token-file.ts';

export interface TokenDeps {
  readonly path: string;
  readonly clock: Clock;
  /** Counts the calls of all processes behind one address. Default: counts only those of this process. */
  readonly meter?: CallMeter | undefined;
  /** Called with the reason why a changed file is not used. The previous tokens stay valid. */
  onUnreadable(error: unknown): void;
}

/**
 * Interval in ms at which the file is checked, so that changes apply within two seconds. Polling detects
 * every kind of change on every file system.
 */
const POLL_MS = 1000;

/**
 * Named tokens of a server: the permissions of each, and the token of the call that is being served. The file
 * may be created or changed at any time. After it has once contained tokens, every call needs a token until
 * the server is restarted.
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

  /** Opens the token file. Throws `tokens_unreadable` if it is invalid: a server must not start without its tokens. */
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

  /** Returns the grant of a token. Compares it with all entries, so that the duration reveals nothing. */
  find(token: string | undefined): TokenGrant | undefined {
    // Without a token the caller is unknown, even if an entry has the hash of an empty string.
    if (token === undefined || token === '') return undefined;
    const given = createHash('sha256').update(token).digest();
    let found: TokenGrant | undefined;
    for (const grant of this.#grants ?? []) {
      if (timingSafeEqual(given, Buffer.from(grant.sha256, 'hex'))) found = grant;
    }
    return found;
  }

  /** Returns the grant of the named token with which a browser logged in to the dashboard. */
  findPageUser(request: Pick<IncomingMessage, 'headers'>): TokenGrant | undefined {
    const claimed = claimedTokenName(request);
    const grant = claimed && this.#grants?.find(({ name }) => name === claimed);
    return grant && hasPageCookie(request, holderOf(grant)) ? grant : undefined;
  }

  /** Calls `end` when the token is revoked. The returned function cancels this. */
  onRevoked({ sha256 }: TokenGrant, end: () => void): () => void {
    this.#open.set(end, sha256);
    return () => this.#open.delete(end);
  }

  /** Runs a call on behalf of a token. */
  async serve(grant: TokenGrant, call: () => Promise<void>): Promise<void> {
    await this.#calls.run(grant, call);
  }

  /** Returns the token of the call that is being served. */
  current(): TokenGrant | undefined {
    return this.#calls.getStore();
  }

  readonly #reload = (): void => {
    readTokenFile(this.#parts.path).then(
      (grants) => {
        // If the file is deleted, all tokens are revoked. Callers without a token are still refused.
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

/** Adds to a counter and returns its value. Counters begin at 0 each minute. */
export interface CallMeter {
  add(counter: string, amount: number): Promise<number>;
  close?(): void;
}

/** Reason why a call is refused, and the seconds after which it may be retried. */
interface Refusal {
  readonly message: string;
  readonly retryAfterS: number;
}

const MINUTE_MS = 60_000;

/** Limits the calls and bytes per minute, and the concurrent calls, of each token. */
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

  /** Counts a call before its body is read. At a limit, returns the refusal. */
  async admit(grant: TokenGrant, bytes: number): Promise<Refusal | undefined> {
    const running = this.#running.get(grant.sha256) ?? 0;
    if (running >= (grant.concurrentCalls ?? Number.POSITIVE_INFINITY)) {
      return { message: `The token ${grant.name} has ${running} calls running already`, retryAfterS: 1 };
    }
    // Counted before the first `await`. Otherwise calls that arrive together could all pass.
    this.#running.set(grant.sha256, running + 1);
    const refusal = await this.#overMinute(grant, bytes);
    if (refusal !== undefined) this.release(grant);
    return refusal;
  }

  /** Ends a call after its response was sent or the client disconnected. */
  release({ sha256 }: TokenGrant): void {
    const running = (this.#running.get(sha256) ?? 1) - 1;
    if (running > 0) this.#running.set(sha256, running);
    else this.#running.delete(sha256);
  }

  async #overMinute(grant: TokenGrant, bytes: number): Promise<Refusal | undefined> {
    const { name, callsPerMinute, bytesPerMinute } = grant;
    const retryAfterS = Math.ceil((MINUTE_MS - (this.#clock.now() % MINUTE_MS)) / 1000);
    if (callsPerMinute !== undefined && (await this.#add(name, 'calls', 1)) > callsPerMinute) {
      return { message: `The token ${name} may make ${callsPerMinute} calls per minute`, retryAfterS };
    }
    if (bytesPerMinute !== undefined && (await this.#add(name, 'bytes', bytes)) > bytesPerMinute) {
      return { message: `The token ${name} may send ${bytesPerMinute} bytes per minute`, retryAfterS };
    }
    return undefined;
  }

  /** Adds to the shared counter. If that fails, uses the counter of this process. */
  async #add(name: string, what: string, amount: number): Promise<number> {
    const counter = `${name}:${what}:${Math.floor(this.#clock.now() / MINUTE_MS)}`;
    const own = await this.#own.add(counter, amount);
    return (await this.#shared?.add(counter, amount).catch(() => own)) ?? own;
  }
}

/** Creates counters in this process. Counters of past minutes are deleted. */
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

/** Holder of a dashboard cookie. It is identified by the hash of its token, which is the server's token or a named one. */
export interface PageHolder {
  /** Name of the token; `undefined` for the token of the server. */
  readonly name?: string | undefined;
  readonly secret: string;
}

/**
 * Returns the cookie for a browser that logged in. It is derived from the token, so that with a stolen cookie
 * one can see the dashboard and do nothing else. Browsers send it only from the dashboard, hide it from
 * scripts and, with `isSecure`, send it only over TLS.
 */
export function pageCookie(holder: PageHolder, { isSecure = false } = {}): string {
  const secure = isSecure ? '; Secure' : '';
  return `${NAME}=${proofOf(holder)}; Path=/; HttpOnly; SameSite=Strict${secure}`;
}

export function hasPageCookie({ headers }: Pick<IncomingMessage, 'headers'>, holder: PageHolder): boolean {
  const given = cookieIn(headers.cookie);
  return given !== undefined && constantTimeEquals(given, proofOf(holder));
}

/** Returns the token name that a cookie claims. `hasPageCookie` verifies it. */
export function claimedTokenName({ headers }: Pick<IncomingMessage, 'headers'>): string | undefined {
  const [name, proof] = cookieIn(headers.cookie)?.split(':') ?? [];
  return proof === undefined ? undefined : name;
}

/** Compares two secrets in constant time. Their digests are compared, which have equal lengths. */
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

/** Rules for the tools that a caller may see and call. A rule is a name; `*` at its end matches any text. */
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

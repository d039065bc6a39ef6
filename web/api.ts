/** Types of the responses of the server under `/api/…`. */
export interface Sum {
  readonly calls: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly recoveries: number;
  readonly tokensRecovered: number;
  readonly netTokensSaved: number;
  readonly fallbacks: number;
}

export type Sums = Readonly<Record<string, Sum>>;

export interface Prices {
  readonly model?: string;
  readonly currency: string;
  readonly input?: number;
  readonly cacheWrite?: number;
  readonly cacheRead?: number;
}

export interface Overview {
  readonly total: Sum;
  readonly byServer: Sums;
  readonly byClient: Sums;
  readonly byTool: Sums;
  readonly fallbackReasons: Readonly<Record<string, number>>;
  readonly cutsAskedBack: number;
  readonly losses: number;
  readonly latencyMs: { readonly p50: number | null; readonly p95: number | null };
  readonly money: {
    readonly prices: Prices;
    readonly input?: number;
    readonly cacheWrite?: number;
    readonly cacheReadPerTurn?: number;
  } | null;
  readonly series: readonly Point[];
  readonly stepSeconds: number;
  readonly version: string;
}

export interface Point {
  readonly at: number;
  readonly netTokensSaved: number;
  readonly tokensSaved: number;
  readonly tokensRecovered: number;
}

export interface CutRow {
  readonly at: string;
  readonly kind: 'cut' | 'masked';
  readonly system: string;
  readonly server?: string;
  readonly client?: string;
  /** The name of the token it was made for. */
  readonly user?: string;
  readonly tool: string;
  readonly sourceType?: string;
  readonly pruneId?: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly durationMs?: number;
  readonly fallback?: string;
  readonly recoveries: number;
  readonly tokensRecovered: number;
  readonly netTokensSaved: number;
}

export interface CutPage {
  readonly cuts: readonly CutRow[];
  readonly next: number | null;
  readonly total: number;
}

export interface Block {
  readonly start: number;
  readonly end: number;
  readonly reason: string;
  readonly marker: string;
  /** The rule that removed it, by name and in words; null where no note says. */
  readonly rule: string | null;
  readonly why: string | null;
  readonly best: number | null;
}

export interface CutText {
  readonly lines: readonly string[];
  readonly focus: { readonly question: string; readonly task?: string; readonly command?: string } | null;
  readonly sourceType: string | null;
  readonly scorer: string | null;
  readonly blocks: readonly Block[];
  readonly kept: readonly { readonly start: number; readonly end: number; readonly why: string }[];
  readonly scores: readonly number[] | null;
}

export interface CutView {
  readonly id: string;
  readonly cut: CutRow | null;
  readonly text: CutText | null;
}

export async function fetchOverview(span: string): Promise<Overview> {
  return ask(`/api/overview?${new URLSearchParams({ span })}`);
}

export async function fetchCuts(filter: Readonly<Record<string, string>>): Promise<CutPage> {
  return ask(`/api/cuts?${new URLSearchParams(filter)}`);
}

/** Nothing for an id nobody knows. */
export async function fetchCut(id: string): Promise<CutView | undefined> {
  const answer = await fetch(`/api/cuts/${encodeURIComponent(id)}`);
  if (answer.status === 404) return undefined;
  return read(answer);
}

async function ask<Answer>(path: string): Promise<Answer> {
  return read(await fetch(path));
}

/** Without a cookie, or with one of an older token, the server shows its form. */
async function read<Answer>(answer: Response): Promise<Answer> {
  if (answer.status === 401) location.assign('/');
  if (!answer.ok) throw new Error(`The server answered with ${answer.status}.`);
  return (await answer.json()) as Answer;
}

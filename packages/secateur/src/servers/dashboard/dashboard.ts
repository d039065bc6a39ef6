import type { Clock } from '@secateur/base/runtime/clock.ts';
import { readNote } from '@secateur/engine/cut-note.ts';
import type { Notes } from '@secateur/engine/recovery/notes.ts';
import type { HttpAnswer, HttpExchange, HttpRoute, PlainRequest } from '@secateur/serving/wire/http-route.ts';
import { hasPageCookie } from '@secateur/serving/wire/page-cookie.ts';
import type { Prices } from '../../savings/money.ts';
import { PAGE_HEADERS, pageFile } from './assets.ts';
import { listCuts } from './cut-list.ts';
import { viewCut } from './cut-view.ts';
import { type LedgerNow, LedgerReader } from './ledger-reader.ts';
import { type Keys, loginRoute, sendLogin } from './login.ts';
import { type Overview, overviewOf, spanNamed } from './overview.ts';

export interface DashboardParts {
  /** Where the ledger lies. */
  readonly directory: string;
  readonly notes: Notes;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly version: string;
  /** The folder of the built page. */
  readonly assets: URL;
  readonly bearerToken: string | undefined;
  readonly tokens: Keys['tokens'];
  readonly tlsTerminated?: Keys['tlsTerminated'];
  /** The named token the page is looked at with: it shows what is its own. Nothing: everybody's. */
  owner(): string | undefined;
}

/** The savings and audit page and its data. Nothing is read before somebody looks. */
export function dashboardRoutes(parts: DashboardParts): HttpRoute[] {
  const reader = new LedgerReader(parts.directory, parts.owner);
  const overviews = overviewReader(reader, parts);
  const data = (path: string, handle: (request: PlainRequest) => Promise<HttpAnswer>): HttpRoute => ({
    method: 'GET',
    path,
    access: 'page',
    handle,
  });
  return [
    frontDoor(parts),
    loginRoute(parts),
    data('/assets/:file', ({ params }) => pageFile(parts.assets, params.file ?? '')),
    data('/api/overview', async ({ query }) =>
      answer({ ...(await overviews(query.get('span') ?? '7d')), version: parts.version }),
    ),
    data('/api/cuts', ({ query }) => answerCuts(query, reader, parts)),
    data('/api/cuts/:id', ({ params }) => answerCut(params.id ?? '', reader, parts)),
    {
      kind: 'raw',
      path: '/api/events',
      access: 'page',
      handle: async (exchange) => follow(exchange, reader),
    },
  ];
}

/** `GET /`: the page, or the login form where a token is set and the browser has not shown it. */
function frontDoor({ assets, bearerToken, tokens }: DashboardParts): HttpRoute {
  const isOpenTo = (request: HttpExchange['request']) => {
    if (bearerToken === undefined && tokens?.required !== true) return true;
    if (bearerToken !== undefined && hasPageCookie(request, { secret: bearerToken })) return true;
    return tokens?.findPageUser(request) !== undefined;
  };
  return {
    kind: 'raw',
    path: '/',
    access: 'public',
    handle: async ({ request, response }) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.writeHead(405, { allow: 'GET', 'content-length': 0 }).end();
        return;
      }
      if (!isOpenTo(request)) return sendLogin(response);
      const { status = 200, headers, body = '' } = await pageFile(assets, 'index.html');
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    },
  };
}

type OverviewReader = (span: string) => Promise<Overview>;

/** As long as nothing was added, a span is summed once a minute. */
function overviewReader(reader: LedgerReader, { prices, clock, owner }: DashboardParts): OverviewReader {
  const known = new Map<string, { of: LedgerNow; minute: number; overview: Promise<Overview> }>();
  return async (asked) => {
    const ledger = await reader.now();
    const now = clock.now();
    const minute = Math.floor(now / 60_000);
    const span = spanNamed(asked);
    const key = `${span} ${owner() ?? ''}`;
    const last = known.get(key);
    if (last?.of === ledger && last.minute === minute) return last.overview;
    const overview = overviewOf(ledger, { span, now, prices });
    known.set(key, { of: ledger, minute, overview });
    return overview;
  };
}

async function answerCuts(
  query: URLSearchParams,
  reader: LedgerReader,
  { notes }: DashboardParts,
): Promise<HttpAnswer> {
  const { records } = await reader.now();
  const given = (name: string) => query.get(name) || undefined;
  const beforeIndex = given('before') === undefined ? undefined : Number(given('before'));
  const limit = Math.min(MOST_ROWS, Math.max(1, Number(given('limit') ?? MOST_ROWS) || MOST_ROWS));
  const filter = {
    ...{ tool: given('tool'), client: given('client'), server: given('server'), reason: given('reason') },
    ...{ beforeIndex: Number.isSafeInteger(beforeIndex) ? beforeIndex : undefined, limit },
  };
  const noteOf = async (id: string) => readNote(await notes.read(id).catch(() => undefined));
  return answer(await listCuts(records.cuts, filter, noteOf));
}

const MOST_ROWS = 100;

async function answerCut(id: string, reader: LedgerReader, { notes }: DashboardParts): Promise<HttpAnswer> {
  const { records } = await reader.now();
  const view = await viewCut(id, { notes, records });
  if (view !== undefined) return answer(view);
  return { status: 404, headers: PAGE_HEADERS, json: { error: 'unknown_cut' } };
}

function answer(json: unknown): HttpAnswer {
  return { headers: PAGE_HEADERS, json };
}

/** Tells the page that there is something new; the page then asks for what it shows. */
async function follow({ request, response, signal }: HttpExchange, reader: LedgerReader): Promise<void> {
  if (request.method !== 'GET') {
    response.writeHead(405, { allow: 'GET', 'content-length': 0 }).end();
    return;
  }
  response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/event-stream' });
  response.write('retry: 2000\n\n');
  reader.watch(() => {
    if (!response.writableNeedDrain) response.write('event: change\ndata: {}\n\n');
  }, signal);
  await reader.now();
}

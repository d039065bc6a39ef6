import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Clock } from '@secateur/base/runtime/time.ts';
import { readNote } from '@secateur/engine/cut-note.ts';
import type { Notes } from '@secateur/engine/recovery/notes.ts';
import {
  type HttpAnswer,
  type HttpExchange,
  type HttpRoute,
  type PlainRoute,
  readBody,
} from '@secateur/serving/wire/http-route.ts';
import {
  constantTimeEquals,
  hasPageCookie,
  holderOf,
  type PageHolder,
  pageCookie,
  type Tokens,
} from '@secateur/serving/wire/tokens.ts';
import type { Prices } from '../../savings/sums.ts';
import {
  type LedgerNow,
  LedgerReader,
  listCuts,
  type Overview,
  overviewOf,
  spanNamed,
  viewCut,
} from './page-data.ts';

export interface DashboardDeps {
  /** Directory of the ledger. */
  readonly directory: string;
  readonly notes: Notes;
  readonly prices: Prices;
  readonly clock: Clock;
  readonly version: string;
  /** The server's own token. It gives access to all figures. */
  readonly bearerToken: string | undefined;
  /** Named tokens. Each gives access only to its own figures. */
  readonly tokens: Pick<Tokens, 'required' | 'find' | 'findPageUser'> | undefined;
  /** Whether, according to the settings, a proxy in front of the server uses TLS. */
  readonly tlsTerminated?: boolean | undefined;
  /** Folder that contains the built page. */
  readonly assets: URL;
  /** Returns the name of the viewer's token, whose figures are shown. `undefined`: all figures are shown. */
  owner(): string | undefined;
}

/** Returns the routes for the page and its data. Reads no file until the first request. */
export function dashboardRoutes(parts: DashboardDeps): HttpRoute[] {
  const reader = new LedgerReader(parts.directory, parts.owner);
  const overviews = overviewReader(reader, parts);
  const page = { method: 'GET', access: 'page' } as const;
  const data = (path: string, handle: PlainRoute['handle']): HttpRoute => ({ ...page, path, handle });
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
      method: 'GET',
      path: '/api/events',
      access: 'page',
      handle: (exchange) => follow(exchange, reader),
    },
  ];
}

/** `GET /`: the page. If a token is required and the browser has no valid cookie, the login form. */
function frontDoor({ assets, bearerToken, tokens }: DashboardDeps): HttpRoute {
  const isOpenTo = (request: HttpExchange['request']) => {
    if (bearerToken === undefined && tokens?.required !== true) return true;
    if (bearerToken !== undefined && hasPageCookie(request, { secret: bearerToken })) return true;
    return tokens?.findPageUser(request) !== undefined;
  };
  return {
    kind: 'raw',
    method: 'GET',
    path: '/',
    access: 'public',
    handle: async ({ request, response }) => {
      if (!isOpenTo(request)) return sendLogin(response);
      const { status = 200, headers, body = '' } = await pageFile(assets, 'index.html');
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
    },
  };
}

/** Returns a reader of overviews. Unless entries are added, each time span is added up at most once per minute. */
function overviewReader(reader: LedgerReader, { prices, clock, owner }: DashboardDeps) {
  const known = new Map<string, { of: LedgerNow; minute: number; overview: Promise<Overview> }>();
  return async (asked: string): Promise<Overview> => {
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

async function answerCuts(query: URLSearchParams, reader: LedgerReader, { notes }: DashboardDeps) {
  const { records } = await reader.now();
  const given = (name: string) => query.get(name) || undefined;
  const beforeIndex = given('before') === undefined ? undefined : Number(given('before'));
  const limit = Math.min(MAX_ROWS, Math.max(1, Number(given('limit') ?? MAX_ROWS) || MAX_ROWS));
  const filter = {
    ...{ tool: given('tool'), client: given('client'), server: given('server'), reason: given('reason') },
    ...{ beforeIndex: Number.isSafeInteger(beforeIndex) ? beforeIndex : undefined, limit },
  };
  const noteOf = async (id: string) => readNote(await notes.read(id).catch(() => undefined));
  return answer(await listCuts(records.cuts, filter, noteOf));
}

const MAX_ROWS = 100;

async function answerCut(id: string, reader: LedgerReader, { notes }: DashboardDeps): Promise<HttpAnswer> {
  const { records } = await reader.now();
  const view = await viewCut(id, { notes, records });
  if (view !== undefined) return answer(view);
  return { status: 404, headers: PAGE_HEADERS, json: { error: 'unknown_cut' } };
}

function answer(json: unknown): HttpAnswer {
  return { headers: PAGE_HEADERS, json };
}

/** Notifies the page of new entries. The page then requests its data again. */
async function follow({ response, signal }: HttpExchange, reader: LedgerReader): Promise<void> {
  response.writeHead(200, { ...PAGE_HEADERS, 'content-type': 'text/event-stream' });
  response.write('retry: 2000\n\n');
  reader.watch(() => {
    if (!response.writableNeedDrain) response.write('event: change\ndata: {}\n\n');
  }, signal);
  await reader.now();
}

const MAX_BYTES = 16_384;

/** `POST /login`: sets a cookie for the token in the form. Scripts and other sites cannot read the cookie. */
function loginRoute(keys: DashboardDeps): HttpRoute {
  return {
    kind: 'raw',
    method: 'POST',
    path: '/login',
    access: 'public',
    handle: async ({ request, response }) => {
      const body = await readBody(request, MAX_BYTES);
      if (body.kind === 'gone') return;
      const given =
        body.kind === 'read' ? new URLSearchParams(body.bytes.toString('utf8')).get('token') : null;
      const holder = holderWith(given ?? '', keys);
      if (holder === undefined) return sendLogin(response, 'That is not the token.');
      const isSecure = keys.tlsTerminated === true || request.headers['x-forwarded-proto'] === 'https';
      const cookie = pageCookie(holder, { isSecure });
      response.writeHead(303, { ...PAGE_HEADERS, location: '/', 'set-cookie': cookie }).end();
    },
  };
}

function holderWith(token: string, { bearerToken, tokens }: DashboardDeps): PageHolder | undefined {
  if (bearerToken !== undefined && constantTimeEquals(token, bearerToken)) return { secret: bearerToken };
  const grant = tokens?.find(token);
  return grant && holderOf(grant);
}

/** Sends only the login form. The other files of the page require a token. */
function sendLogin(response: HttpExchange['response'], problem = ''): void {
  const body = Buffer.from(loginPage(problem));
  const headers = {
    ...PAGE_HEADERS,
    'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    'content-type': 'text/html; charset=utf-8',
    'content-length': body.length,
  };
  response.writeHead(401, headers).end(body);
}

const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}
main{width:min(22rem,calc(100vw - 2rem))}
h1{font-size:1.25rem;font-weight:600;margin:0 0 1rem}
label{display:block;margin-bottom:.25rem}
input,button{box-sizing:border-box;width:100%;font:inherit;padding:.5rem .75rem;border-radius:.375rem;border:1px solid GrayText}
button{margin-top:.75rem;cursor:pointer}
:focus-visible{outline:2px solid Highlight;outline-offset:2px}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

function loginPage(problem: string): string {
  const alert = problem === '' ? '' : `<p role="alert">${problem}</p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Sécateur: log in</title><style>${STYLE}</style></head><body><main><h1>Sécateur</h1>${alert}
<form method="post" action="/login"><label for="token">Token (yours, or SECATEUR_BEARER_TOKEN)</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Open the page</button></form></main></body></html>`;
}

/** Allows scripts, styles, data and images from this server only. Forbids inline code and framing. */
const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const PAGE_HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'x-content-type-options': 'nosniff',
  // With `no-referrer`, browsers would send the login form with `Origin: null`, which is refused.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Content types of the page's files, by extension. Files with other extensions are not served. */
const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  html: 'text/html; charset=utf-8',
};

async function pageFile(assets: URL, name: string): Promise<HttpAnswer> {
  const type = /^[a-z][a-z-]*\.([a-z]+)$/.exec(name)?.[1] ?? '';
  const contentType = TYPES[type];
  const body =
    contentType === undefined ? undefined : await readFile(new URL(name, assets)).catch(() => undefined);
  if (contentType === undefined || body === undefined)
    return { status: 404, headers: PAGE_HEADERS, json: { error: 'not_found' } };
  return { headers: { ...PAGE_HEADERS, 'content-type': contentType }, body };
}

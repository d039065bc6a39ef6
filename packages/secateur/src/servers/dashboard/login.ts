import { createHash } from 'node:crypto';
import { readBody } from '@secateur/serving/wire/http-body.ts';
import type { HttpExchange, HttpRoute } from '@secateur/serving/wire/http-route.ts';
import { isSame, type PageHolder, pageCookie } from '@secateur/serving/wire/page-cookie.ts';
import { holderOf, type Tokens } from '@secateur/serving/wire/tokens.ts';
import { PAGE_HEADERS } from './assets.ts';

const MOST_BYTES = 16_384;

/** Who may log in. */
export interface Keys {
  /** The server's own token: it shows everybody's figures. */
  readonly bearerToken: string | undefined;
  /** Named tokens show what is theirs. */
  readonly tokens: Pick<Tokens, 'required' | 'find' | 'findPageUser'> | undefined;
  /** Whether a proxy in front of the server is declared to speak TLS. */
  readonly tlsTerminated?: boolean | undefined;
}

/** `POST /login`: the token of a form becomes a cookie that scripts cannot read and other sites cannot send. */
export function loginRoute(keys: Keys): HttpRoute {
  return {
    kind: 'raw',
    path: '/login',
    access: 'public',
    handle: async ({ request, response }) => {
      if (request.method !== 'POST') {
        response.writeHead(405, { allow: 'POST', 'content-length': 0 }).end();
        return;
      }
      const body = await readBody(request, MOST_BYTES);
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

function holderWith(token: string, { bearerToken, tokens }: Keys): PageHolder | undefined {
  if (bearerToken !== undefined && isSame(token, bearerToken)) return { secret: bearerToken };
  const grant = tokens?.find(token);
  return grant && holderOf(grant);
}

/** The form and nothing else: no file of the page is served to whoever has no token. */
export function sendLogin(response: HttpExchange['response'], problem = ''): void {
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

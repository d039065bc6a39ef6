import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

const outside = createRequire(new URL('../outside/package.json', import.meta.url));

/** The parts of oidc-provider the stand-in uses; its package has no types here. */
interface OidcProvider {
  callback(): (request: IncomingMessage, response: ServerResponse) => void;
  interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
  AccessToken: { find(token: string): Promise<{ accountId: string } | undefined> };
  Grant: new (of: object) => Grant;
}

interface Interaction {
  readonly params: { client_id: string; scope?: string };
  readonly session?: { accountId: string };
}

interface Grant {
  addOIDCScope(scope: string): void;
  addResourceScope(resource: string, scope: string): void;
  save(): Promise<string>;
}

export interface OAuthServer {
  readonly issuer: string;
  /** The MCP server that demands its tokens; it answers every tool call with the user's name. */
  readonly mcpUrl: string;
  /** The user who approves next. */
  user: string;
  revoke(refreshToken: string, clientId: string): Promise<void>;
  /** Responses to the next token requests, before the provider answers; status 0: no response. */
  readonly tokenAnswers: { status: number; json: object }[];
}

/** A real OAuth server (oidc-provider) and a real MCP endpoint behind it, on loopback. */
export async function startOAuthServer(
  accessTokenSeconds: number,
  { deviceFlow = true }: { deviceFlow?: boolean } = {},
): Promise<OAuthServer> {
  const auth = await listen();
  const mcp = await listen();
  const mcpUrl = `${mcp.url}/mcp`;
  const found = pathToFileURL(outside.resolve('oidc-provider')).href;
  const { default: Provider } = (await import(found)) as {
    default: new (issuer: string, of: object) => OidcProvider;
  };
  const settings = providerSettings(mcpUrl, { accessTokenSeconds, deviceFlow });
  const provider = new Provider(auth.url, settings);
  const running: OAuthServer = {
    ...{ issuer: auth.url, mcpUrl, user: 'nobody', revoke: revocation(auth.url) },
    tokenAnswers: [],
  };
  auth.handle((request, response) => {
    const planned = request.url === '/token' ? running.tokenAnswers.shift() : undefined;
    if (planned?.status === 0) response.destroy();
    else if (planned !== undefined) {
      response.writeHead(planned.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(planned.json));
    } else if (request.url?.startsWith('/agree/')) void agree(provider, { request, response, running });
    else provider.callback()(request, response);
  });
  mcp.handle((request, response) => void answerMcp(provider, { request, response, running }));
  return running;
}

function providerSettings(
  mcpUrl: string,
  { accessTokenSeconds, deviceFlow }: { accessTokenSeconds: number; deviceFlow: boolean },
): object {
  return {
    features: {
      devInteractions: { enabled: false },
      deviceFlow: { enabled: deviceFlow },
      registration: { enabled: true },
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => mcpUrl,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'mcp',
          accessTokenTTL: accessTokenSeconds,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    scopes: ['openid', 'offline_access', 'mcp'],
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] },
    issueRefreshToken: () => true,
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/agree/${uid}` },
    pkce: { required: () => true },
    ttl: {
      RefreshToken: 3600,
      Grant: 3600,
      Session: 3600,
      Interaction: 600,
      AccessToken: accessTokenSeconds,
    },
  };
}

interface Handled {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly running: OAuthServer;
}

/** Acts as a user who types a name and clicks "agree". */
async function agree(provider: OidcProvider, { request, response, running }: Handled): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: running.user, clientId: params.client_id });
  grant.addOIDCScope('openid offline_access mcp');
  grant.addResourceScope(running.mcpUrl, 'mcp');
  const consent = { grantId: await grant.save() };
  await provider.interactionFinished(request, response, { login: { accountId: running.user }, consent });
}

async function answerMcp(provider: OidcProvider, { request, response, running }: Handled): Promise<void> {
  const metadata = `${new URL(running.mcpUrl).origin}/.well-known/oauth-protected-resource/mcp`;
  if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
    return void response.end(
      JSON.stringify({
        resource: running.mcpUrl,
        authorization_servers: [running.issuer],
        scopes_supported: ['mcp'],
      }),
    );
  }
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const token = await provider.AccessToken.find(given);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (token === undefined) {
    return void response
      .writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` })
      .end();
  }
  const { id } = JSON.parse(Buffer.concat(chunks).toString()) as { id: unknown };
  const result = { content: [{ type: 'text', text: token.accountId }] };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

function revocation(issuer: string): OAuthServer['revoke'] {
  return async (token, clientId) => {
    const body = new URLSearchParams({ token, client_id: clientId, token_type_hint: 'refresh_token' });
    const answer = await fetch(`${issuer}/token/revocation`, { method: 'POST', body });
    if (!answer.ok) throw new Error(`revocation: HTTP ${answer.status}`);
  };
}

async function listen() {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    handle: (handler: (request: IncomingMessage, response: ServerResponse) => void) =>
      void server.on('request', handler),
  };
}

/** Does what a browser does: follows every redirect and keeps cookies. */
export async function browse(start: string): Promise<number> {
  return (await newBrowser().open(start)).status;
}

/** The person with a phone: opens the address, and presses the button of each page: yes, or [ Abort ]. */
export async function enterDeviceCode(address: string, answer: 'yes' | 'no'): Promise<void> {
  const browser = newBrowser();
  const entry = await browser.open(address);
  const confirmation = await browser.open(...formOf(entry, {}));
  const choice = answer === 'yes' ? { confirm: 'yes' } : { abort: 'yes' };
  await browser.open(...formOf(confirmation, choice));
}

interface Page {
  readonly url: string;
  readonly status: number;
  readonly html: string;
}

/** The form of a page with its hidden fields, as a request. */
function formOf({ url, html }: Page, choice: Record<string, string>): [string, URLSearchParams] {
  const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
  const fields = new URLSearchParams();
  for (const [input] of html.matchAll(/<input[^>]*>/g)) {
    const name = /name="([^"]+)"/.exec(input)?.[1] ?? '';
    if (name !== 'abort' && name !== 'confirm') fields.set(name, /value="([^"]*)"/.exec(input)?.[1] ?? '');
  }
  for (const [name, value] of Object.entries(choice)) fields.set(name, value);
  return [new URL(action, url).href, fields];
}

function newBrowser() {
  const cookies = new Map<string, string>();
  const keep = (answer: Response) => {
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const open = async (start: string, form?: URLSearchParams): Promise<Page> => {
    let url = start;
    for (let hop = 0; hop < 10; hop += 1) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const body = hop === 0 && form !== undefined ? { method: 'POST', body: form } : {};
      const answer = await fetch(url, { redirect: 'manual', headers: { cookie }, ...body });
      keep(answer);
      const next = answer.headers.get('location');
      if (next === null) return { url, status: answer.status, html: await answer.text() };
      url = new URL(next, url).href;
    }
    throw new Error('too many redirects');
  };
  return { open };
}

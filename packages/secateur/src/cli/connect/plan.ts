import type { ClientFile, McpClient } from './clients.ts';
import { type GatewayTable, tableFor, withTable } from './gateway-config.ts';
import type { WholeRequest } from './plan-all.ts';
import type { Texts } from './texts.ts';
import { isBehindGateway, REACHING, upstreamOf } from './upstream-of.ts';

export interface ConnectPlan {
  readonly moved: readonly MovedServer[];
  readonly stays: readonly { readonly name: string; readonly path: string; readonly reason: string }[];
}

interface MovedServer {
  readonly name: string;
  /** The client's file. */
  readonly path: string;
  readonly url: string;
  readonly table: GatewayTable;
}

/** Moves the servers of a client's files behind the gateway. */
export function planConnect(request: WholeRequest, texts: Texts): ConnectPlan {
  const moved: MovedServer[] = [];
  const stays: Array<ConnectPlan['stays'][number]> = [];
  for (const file of request.files.filter(({ path }) => texts.before(path) !== undefined)) {
    const { path } = file;
    for (const [name, entry] of request.client.format.read(texts.get(path), file)) {
      const found = upstreamOf(entry, file.cwd);
      if (found.kind === 'stays') stays.push({ name, path, reason: found.reason });
      else moved.push(move({ name, upstream: found.upstream }, { request, file, texts }));
    }
  }
  return { moved, stays };
}

function move(
  server: GatewayTable,
  { request, file, texts }: { request: WholeRequest; file: ClientFile; texts: Texts },
): MovedServer {
  const { client, gatewayConfigPath, gatewayUrl } = request;
  const config = texts.get(gatewayConfigPath);
  const { name, isThere } = tableFor({ path: gatewayConfigPath, text: config }, server, file.path);
  const table = { ...server, name };
  if (!isThere)
    texts.set(gatewayConfigPath, withTable(config, table, { file: file.path, client: client.name }));
  const url = `${gatewayUrl}/api/mcp-gateway/${encodeURIComponent(name)}/rpc`;
  const change = { name: server.name, drop: REACHING, put: client.httpEntry(url) };
  texts.set(file.path, client.format.change(texts.get(file.path), file, change));
  return { name: server.name, path: file.path, url, table };
}

/** Puts the original entries back into a text; every other change made in it since then stays. */
export function putBack(
  client: McpClient,
  { text, before }: { text: string; before: string },
  places: readonly ClientFile[],
): string {
  let changed = text;
  for (const place of before === '' ? [] : places) {
    const originals = client.format.read(before, place);
    for (const [name, entry] of client.format.read(text, place)) {
      if (!originals.has(name) || !isBehindGateway(entry)) continue;
      changed = client.format.restore(changed, place, { name, before });
    }
  }
  return changed;
}

import type { ClientFile, McpClient } from './clients.ts';
import { type GatewayTable, withTables } from './gateway-config.ts';
import type { WholeRequest } from './plan-all.ts';
import type { Texts } from './texts.ts';
import { isBehindGateway, ownFields, upstreamOf } from './upstream-of.ts';

export interface ConnectPlan {
  readonly moved: readonly { readonly name: string; readonly path: string; readonly entry: string }[];
  readonly stays: readonly { readonly name: string; readonly path: string; readonly reason: string }[];
  readonly tables: readonly GatewayTable[];
}

/** Moves the servers of a client's files behind the gateway. */
export function planConnect(request: WholeRequest, texts: Texts): ConnectPlan {
  const { client, files, gatewayConfigPath, gatewayUrl } = request;
  const moved: Array<ConnectPlan['moved'][number]> = [];
  const stays: Array<ConnectPlan['stays'][number]> = [];
  const tables = new Map<string, GatewayTable>();
  for (const file of files.filter(({ path }) => texts.before(path) !== undefined)) {
    const { path } = file;
    for (const [name, { entry }] of client.format.read(texts.get(path), file)) {
      const found = upstreamOf(entry, file.cwd);
      if (found.kind === 'stays') {
        stays.push({ name, path, reason: found.reason });
        continue;
      }
      const table = freeName(name, found.upstream, tables);
      tables.set(table.name, table);
      const url = `${gatewayUrl}/api/mcp-gateway/${encodeURIComponent(table.name)}/rpc`;
      const raw = client.format.write(name, { ...client.httpEntry(url), ...ownFields(entry) });
      texts.set(path, client.format.replace(texts.get(path), file, { name, raw }));
      moved.push({ name, path, entry: raw });
    }
  }
  const all = [...tables.values()];
  if (moved.length > 0)
    texts.set(gatewayConfigPath, withTables(texts.get(gatewayConfigPath), client.name, all));
  return { moved, stays, tables: all };
}

/** Two files may use one name for two servers; the later one gets a number. */
function freeName(
  name: string,
  upstream: GatewayTable['upstream'],
  taken: ReadonlyMap<string, GatewayTable>,
): GatewayTable {
  let candidate = name;
  for (let number = 2; !isFree(candidate, upstream, taken); number += 1) candidate = `${name}-${number}`;
  return { name: candidate, upstream };
}

function isFree(
  name: string,
  upstream: GatewayTable['upstream'],
  taken: ReadonlyMap<string, GatewayTable>,
): boolean {
  const other = taken.get(name);
  return other === undefined || JSON.stringify(other.upstream) === JSON.stringify(upstream);
}

/** Puts the original entries back into a text; whatever else has changed in it since then stays. */
export function putBack(
  client: McpClient,
  { text, before }: { text: string; before: string },
  places: readonly ClientFile[],
): string {
  let changed = text;
  for (const place of before === '' ? [] : places) {
    const originals = client.format.read(before, place);
    for (const [name, { entry }] of client.format.read(text, place)) {
      const raw = originals.get(name)?.raw;
      if (raw === undefined || !isBehindGateway(entry)) continue;
      changed = client.format.replace(changed, place, { name, raw });
    }
  }
  return changed;
}

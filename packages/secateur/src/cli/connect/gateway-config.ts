import { type Fields, isFields } from '@secateur/base/text/json-value.ts';
import { parseToml } from '@secateur/serving/config/config-file.ts';
import { tomlTable } from './server-format.ts';

/**
 * The tables that `connect` adds to `config.toml`: one block per file of a client, between two comments that name the
 * file. Blocks of several clients are added and removed in any order.
 */

export interface GatewayTable {
  readonly name: string;
  readonly upstream: Fields;
}

interface Owner {
  /** The file of the client the servers come from. */
  readonly file: string;
  readonly client: string;
}

/** The path of `config.toml` and its text. */
interface ConfigText {
  readonly path: string;
  readonly text: string;
}

/**
 * Chooses the name of a server's table: its own name, or one with a number if another server has it. A table with the
 * same content is used again unless it belongs to another file, whose `--undo` would remove it.
 */
export function tableFor(
  { path, text }: ConfigText,
  { name, upstream }: GatewayTable,
  file: string,
): { name: string; isThere: boolean } {
  const taken = serversIn(text, path);
  const usable = serversIn(
    withoutBlocks(text, (owner) => owner !== file),
    path,
  );
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!(candidate in taken)) return { name: candidate, isThere: false };
    if (JSON.stringify(usable[candidate]) === JSON.stringify(upstream))
      return { name: candidate, isThere: true };
  }
}

function serversIn(text: string, path: string): Fields {
  const { mcp_gateway: gateway } = parseToml(text, path);
  return isFields(gateway) && isFields(gateway.servers) ? gateway.servers : {};
}

/** Adds a table to the block of a file. */
export function withTable(text: string, { name, upstream }: GatewayTable, { file, client }: Owner): string {
  const table = tomlTable(['mcp_gateway', 'servers', name], upstream);
  const end = text.indexOf(`${closing(file)}\n`);
  if (end !== -1) return `${text.slice(0, end)}\n${table}${text.slice(end)}`;
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const gap = start === '' || start.endsWith('\n\n') ? '' : '\n';
  const by = `, moved by \`secateur connect ${client}\`; --undo moves them back`;
  return `${start}${gap}${opening(file)}${by}\n${table}${closing(file)}\n`;
}

export function withoutTables(text: string, files: readonly string[]): string {
  return withoutBlocks(text, (owner) => files.includes(owner));
}

export function hasTables(text: string): boolean {
  return text.search(BLOCK_START) !== -1;
}

const BLOCK_START = /^# begin: servers of ("(?:[^"\\\n]|\\.)*")/gm;

function withoutBlocks(text: string, isMeant: (file: string) => boolean): string {
  let left = text;
  for (const [, quoted = '""'] of text.matchAll(BLOCK_START)) {
    const file = String(JSON.parse(quoted));
    const start = left.indexOf(opening(file));
    const end = left.indexOf(`${closing(file)}\n`);
    if (!isMeant(file) || end < start) continue;
    const rest = left.slice(end + closing(file).length + 1);
    const before = left.slice(0, start);
    left = rest === '' ? before.replace(/\n\n$/, '\n') : before + rest;
  }
  return left;
}

function opening(file: string): string {
  return `# begin: servers of ${JSON.stringify(file)}`;
}

function closing(file: string): string {
  return `# end: servers of ${JSON.stringify(file)}`;
}

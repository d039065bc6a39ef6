import { tomlTable } from './toml-text.ts';

export interface GatewayTable {
  readonly name: string;
  readonly upstream: Readonly<Record<string, unknown>>;
}

/** The lines one client brought into `config.toml`, between marks that let them be taken out again. */
export function withTables(text: string, client: string, tables: readonly GatewayTable[]): string {
  const before = withoutTables(text, client);
  if (tables.length === 0) return before;
  const sections = tables.map(({ name, upstream }) => tomlTable(['mcp_gateway', 'servers', name], upstream));
  const gap = before === '' || before.endsWith('\n\n') ? '' : '\n';
  return `${before}${gap}${opening(client)}\n${sections.join('\n')}${closing(client)}\n`;
}

export function withoutTables(text: string, client: string): string {
  const start = text.indexOf(opening(client));
  const end = text.indexOf(closing(client));
  if (start === -1 || end < start) return text;
  const rest = text.slice(end + closing(client).length).replace(/^\n/, '');
  const before = text.slice(0, start);
  return rest === '' ? before.replace(/\n\n$/, '\n') : before + rest;
}

function opening(client: string): string {
  return `# secateur connect ${client}: begin (secateur connect ${client} --undo removes this)`;
}

function closing(client: string): string {
  return `# secateur connect ${client}: end`;
}

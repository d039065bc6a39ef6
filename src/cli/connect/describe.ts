import type { McpClient } from './clients.ts';
import type { ConnectPlan } from './plan.ts';
import { tomlTable } from './toml-text.ts';

export interface Described {
  readonly written: boolean;
  readonly prunerPort: number;
}

const FOCUS_PORT = 8008;

/** The plan for a person: what moves where, what stays and why, and what to do next. */
export function describePlan(
  client: McpClient,
  plan: ConnectPlan,
  { written, prunerPort }: Described,
): string {
  return [
    ...moves(plan),
    ...plan.stays.map(({ name, reason, path }) => `${name} (${path}) stays: it ${reason}`),
    '',
    ...next(plan, client, written),
    '',
    'To add the tools of secateur itself:',
    `  ${client.howToAdd('secateur-focus', `http://127.0.0.1:${FOCUS_PORT}/mcp`)}`,
    `  ${client.howToAdd('secateur-pruner', `http://127.0.0.1:${prunerPort}/mcp`)}`,
  ].join('\n');
}

function moves({ moved, tables, changes }: ConnectPlan): string[] {
  if (moved.length === 0) return ['No server moves behind the gateway.'];
  const config = changes.at(-1)?.path ?? '';
  return [
    ...moved.map(({ name, path, entry }) => `${path}: ${name} becomes\n    ${entry.trimEnd()}`),
    `${config}: gets`,
    ...tables.map(({ name, upstream }) =>
      indented(tomlTable(['mcp_gateway', 'servers', name], withoutSecrets(upstream))),
    ),
  ];
}

/** Values of variables and headers are often keys; a terminal is no place for them. */
function withoutSecrets(upstream: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const hide = (table: unknown) =>
    typeof table === 'object' && table !== null
      ? Object.fromEntries(Object.keys(table).map((key) => [key, '…']))
      : undefined;
  return { ...upstream, env: hide(upstream.env), headers: hide(upstream.headers) };
}

function indented(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '    ');
}

function next({ changes }: ConnectPlan, { name }: McpClient, written: boolean): string[] {
  if (changes.length === 0) return ['Nothing to change.'];
  if (!written)
    return [
      `Nothing was changed. secateur connect ${name} --write does it, and keeps a backup beside each file.`,
    ];
  return [
    'Changed. Start or restart the gateway (secateur gateway, or secateur up) where it reads that config.toml,',
    `then the client. secateur connect ${name} --undo puts the entries back.`,
  ];
}

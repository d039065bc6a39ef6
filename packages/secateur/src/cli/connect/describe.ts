import { hasPlugin } from './client-rules.ts';
import { OWN_NAME } from './clients.ts';
import { hooksFileOf } from './hooks-file.ts';
import type { FileChange } from './pending-edits.ts';
import type { ConnectPlan, WholePlan, WholeRequest } from './plan.ts';
import { tomlTable } from './server-format.ts';

export interface DescribeOptions {
  readonly written: boolean;
  /** Whether this program runs from npx's cache. */
  readonly isFetched: boolean;
}

/** Describes the plan to the user: what changes in which file and why, what stays, and what to do next. */
export function describePlan(request: WholeRequest, plan: WholePlan, described: DescribeOptions): string {
  const { gateway, changes, rules } = plan;
  return [
    ...(hasPlugin(request) ? ['The plugin of secateur brings hooks and recover_text.'] : []),
    ...changes.flatMap((change) => ownPart(request, change)),
    ...allowed(request, rules),
    ...kept(plan),
    ...(gateway === undefined ? waiting(request) : moves(gateway, request)),
    '',
    ...next(request, plan, described),
  ].join('\n');
}

function ownPart(request: WholeRequest, { path, before, after }: FileChange): string[] {
  const { client, origin, program, parts, withTools } = request;
  const verb = before === undefined ? 'is made with' : 'gets';
  const words = program.join(' ');
  if (path === hooksFileOf(client.name, origin)?.path && parts.includes('hooks'))
    return [
      `${path} ${verb} hooks that start \`${words} hook ${client.name}\`:`,
      '    after a tool has run: leaves out of its output what the task does not need',
      '    before a tool writes: refuses text that holds the mark of lines left out',
      '    at the start of a session: says how lines come back',
    ];
  if (path.endsWith('hook.sh'))
    return [`${path} ${verb} the script that the hooks start: without secateur it changes nothing`];
  if (path.endsWith('shell-prefix.sh'))
    return [`${path} ${verb} the script that runs commands: it shortens what a failing one printed`];
  const isOwn = path === client.userFile?.(origin).path && parts.includes('tools');
  if (!isOwn || !after.includes(OWN_NAME)) return [];
  const start = `${path} ${verb} the server ${OWN_NAME} (\`${words} mcp ${withTools ? 'focus' : 'recover'}\`): recover_text`;
  if (!withTools) return [`${start}, which gives removed lines back`];
  return [
    `${start}, and read, bash and grep that answer a question`,
    `    Deny rules of ${client.title} for its own shell and files do not reach read, bash and grep.`,
  ];
}

function allowed({ client }: WholeRequest, rules: readonly string[]): string[] {
  if (rules.length === 0) return [];
  const lines = rules.map((rule) => `    ${rule}`);
  return [
    `The permissions of ${client.title} get rules so that lines come back without a question:`,
    ...lines,
  ];
}

function kept({ keptPrefix }: WholePlan): string[] {
  if (keptPrefix === undefined) return [];
  return [
    `CLAUDE_CODE_SHELL_PREFIX stays ${keptPrefix}: outputs of failing commands are not shortened. In a terminal, --write asks whether to replace it.`,
  ];
}

/**
 * Says how to connect the servers once the gateway runs. Without a running gateway, only clients with hooks
 * get this far.
 */
function waiting({ parts, client }: WholeRequest): string[] {
  if (parts.length === 1) return [];
  return [
    `The gateway does not run: the MCP servers of ${client.title} stay where they are. With \`secateur up\` running, \`secateur connect ${client.name} --only gateway --write\` puts them behind it.`,
  ];
}

function moves({ moved, stays }: ConnectPlan, { gatewayConfigPath }: WholeRequest): string[] {
  const staying = stays.map(({ name, reason, path }) => `${name} (${path}) stays: it ${reason}`);
  if (moved.length === 0) return ['No server moves behind the gateway.', ...staying];
  return [
    ...moved.map(({ name, path, url }) => `${path}: ${name} becomes ${url}`),
    `${gatewayConfigPath}: gets`,
    ...moved.map(({ table: { name, upstream } }) =>
      tomlTable(['mcp_gateway', 'servers', name], upstream).trimEnd().replaceAll(/^/gm, '    '),
    ),
    ...moved
      .filter(({ name, table }) => name !== table.name)
      .map(({ name, table }) => `${name} is called ${table.name} there: another server has its name.`),
    ...staying,
  ];
}

function next(
  { client, origin }: WholeRequest,
  { changes, gateway }: WholePlan,
  described: DescribeOptions,
): string[] {
  if (changes.length === 0) return ['Nothing to change.'];
  if (!described.written)
    return [
      `Nothing was changed. secateur connect ${client.name} --write does it, and keeps a copy of each file.`,
    ];
  const isMoved = (gateway?.moved.length ?? 0) > 0;
  const hooks = hooksFileOf(client.name, origin);
  const hasHooks = changes.some(({ path }) => path === hooks?.path);
  const advice = hooks?.client.installation.advice;
  return [
    ...(isMoved
      ? ['Restart the gateway (secateur gateway, or secateur up); it names the settings file it reads.']
      : []),
    `Changed. Restart ${client.title}; after a session \`secateur stats\` shows what was saved, \`secateur doctor ${client.name}\` what an agent sees.`,
    ...(hasHooks && advice !== undefined ? [advice] : []),
    ...(described.isFetched
      ? [
          'This copy was fetched by npx and may be cleared away: install it (npm link in a clone), then connect again.',
        ]
      : []),
    `secateur connect ${client.name} --undo puts every file back.`,
  ];
}

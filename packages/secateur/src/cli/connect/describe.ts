import { hasPlugin } from './client-rules.ts';
import { OWN_NAME } from './clients.ts';
import { hooksFileOf } from './hooks-file.ts';
import type { FileChange } from './pending-edits.ts';
import type { WholePlan, WholeRequest } from './plan.ts';
import { tomlTable } from './server-format.ts';

/** Describes the plan to the user: what changes in which file and why, what is kept, and what to do next. */
export function describePlan(
  request: WholeRequest,
  plan: WholePlan,
  described: { readonly written: boolean; readonly isFetched: boolean },
): string {
  const { client } = request;
  const { gateway, changes, rules, keptPrefix } = plan;
  return [
    ...(hasPlugin(request) ? ['The plugin of secateur brings hooks and recover_text.'] : []),
    ...changes.flatMap((change) => ownPart(request, change)),
    ...(rules.length === 0
      ? []
      : [`The permissions of ${client.title} get rules that allow recovery without a question:`]),
    ...rules.map((rule) => `    ${rule}`),
    ...(keptPrefix === undefined ? [] : [keptPrefixNote(keptPrefix)]),
    ...(gateway === undefined ? waiting(request) : moves(gateway, request)),
    '',
    ...next(request, plan, described),
  ].join('\n');
}

function ownPart(request: WholeRequest, { path, before, after }: FileChange): string[] {
  const { client, origin, program, parts, withTools } = request;
  const verb = before === undefined ? 'is created with' : 'gets';
  const words = program.join(' ');
  if (path === hooksFileOf(client.name, origin)?.path && parts.includes('hooks'))
    return [
      `${path} ${verb} hooks that start \`${words} hook ${client.name}\`:`,
      '    after a tool has run: removes lines of its output that the task does not need',
      '    before a tool writes: refuses text that contains a marker of removed lines',
      '    at the start of a session: explains how to recover lines',
    ];
  if (path.endsWith('hook.sh'))
    return [`${path} ${verb} the script that the hooks start: without secateur it changes nothing`];
  if (path.endsWith('shell-prefix.sh'))
    return [`${path} ${verb} the script that runs commands: it shortens the output of a failing one`];
  const isOwn = path === client.userFile?.(origin).path && parts.includes('tools');
  if (!isOwn || !after.includes(OWN_NAME)) return [];
  const start = `${path} ${verb} the server ${OWN_NAME} (\`${words} mcp ${withTools ? 'focus' : 'recover'}\`): recover_text`;
  if (!withTools) return [`${start}, which gives removed lines back`];
  return [
    `${start}, and read, bash and grep that answer a question`,
    `    Deny rules of ${client.title} for its own shell and files do not reach read, bash and grep.`,
  ];
}

function keptPrefixNote(prefix: string): string {
  return `CLAUDE_CODE_SHELL_PREFIX stays ${prefix}: outputs of failing commands are not shortened. In a terminal, --write asks whether to replace it.`;
}

/** Returns the step that connects the servers once the gateway runs. Only for clients with hooks. */
function waiting({ parts, client }: WholeRequest): string[] {
  if (parts.length === 1) return [];
  return [
    `The gateway does not run: the MCP servers of ${client.title} are not moved. While \`secateur up\` runs, \`secateur connect ${client.name} --only gateway --write\` moves them behind it.`,
  ];
}

function moves({ moved, stays }: NonNullable<WholePlan['gateway']>, { gatewayConfigPath }: WholeRequest) {
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
  { written, isFetched }: { readonly written: boolean; readonly isFetched: boolean },
): string[] {
  if (changes.length === 0) return ['Nothing to change.'];
  if (!written)
    return [
      `Nothing was changed. secateur connect ${client.name} --write makes these changes, and keeps a copy of each file.`,
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
    ...(isFetched
      ? [
          'This copy was fetched by npx and may be deleted: install it (npm link in a clone), then connect again.',
        ]
      : []),
    `secateur connect ${client.name} --undo restores every file.`,
  ];
}

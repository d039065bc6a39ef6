import type { Fields } from '@secateur/base/text/json-value.ts';
import { invalidParams } from '@secateur/base/tools/rpc-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { negotiatedVersion } from '../protocol.ts';
import type { RpcMethod, RpcServer } from '../rpc-server.ts';

/** MCP's own methods, `tools/call` aside. */
export function coreMethods(server: RpcServer): Array<[string, RpcMethod]> {
  const tools = listedTools(server.tools);
  const isOffered = ({ name }: ListedTool) => server.isOffered?.(name) ?? true;
  return [
    ['initialize', async (params) => initializeResult(server, params)],
    ['ping', async () => ({})],
    // A notification that carries an id by mistake is still owed an answer.
    ['notifications/initialized', async () => ({})],
    ['tools/list', onePage(() => ({ tools: tools.filter(isOffered) }))],
    ['resources/list', onePage(() => ({ resources: [] }))],
    ['resources/templates/list', onePage(() => ({ resourceTemplates: [] }))],
    ['prompts/list', onePage(() => ({ prompts: [] }))],
  ];
}

/** Fields that MCP adds later are accepted and ignored. */
const checkInitialize = compileArgumentCheck(
  Type.Object({
    protocolVersion: Type.String(),
    clientInfo: Type.Optional(Type.Object({ name: Type.String(), version: Type.Optional(Type.String()) })),
    capabilities: Type.Optional(Type.Object({})),
  }),
);

/** Lists fit on one page: no cursor was ever given out, so that every cursor is a wrong one. */
function onePage(list: () => Record<string, unknown>): RpcMethod {
  return async ({ cursor }) => {
    if (cursor === undefined) return list();
    throw invalidParams([{ field: 'cursor', message: 'is not a cursor of this server; leave it out' }]);
  };
}

function initializeResult(server: RpcServer, params: Fields): Record<string, unknown> {
  const fieldErrors = checkInitialize(params);
  if (fieldErrors.length > 0) throw invalidParams(fieldErrors);
  return {
    protocolVersion: negotiatedVersion(String(params.protocolVersion)),
    capabilities: { tools: { listChanged: false } },
    serverInfo: { name: server.name, version: server.version },
    ...(server.instructions === undefined ? {} : { instructions: server.instructions }),
    ...server.initializeExtras,
  };
}

type ListedTool = Pick<Tool, 'name' | 'title' | 'description' | 'inputSchema' | 'annotations'>;

/** The entries of `tools/list`: what a client may see of our tools. */
function listedTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  }));
}

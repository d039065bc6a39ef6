import { createServer } from 'node:http';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { Type } from '../../packages/base/src/tools/schema.ts';
import { defineTool, textResult } from '../../packages/base/src/tools/tool.ts';
import { serveHttp } from '../../packages/serving/src/wire/http-host.ts';

export const serverKinds = ['bare node:http', 'secateur wire', 'SDK v2'] as const;
export type ServerKind = (typeof serverKinds)[number];

const starters: Record<ServerKind, () => Promise<number>> = {
  'bare node:http': startBare,
  'secateur wire': startOurs,
  'SDK v2': startSdk,
};

/** The port the asked-for server listens on. */
export function startServer(kind: ServerKind): Promise<number> {
  return starters[kind]();
}

const inputSchema = Type.Object({ text: Type.String() }, { additionalProperties: false });
const description = 'Gives the text back.';

function startBare(): Promise<number> {
  const answer = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [{ type: 'text', text: 'x'.repeat(20) }] },
  });
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(answer));
  });
  return listening(server);
}

async function startOurs(): Promise<number> {
  const echo = defineTool({
    name: 'echo',
    description,
    inputSchema,
    handle: async ({ text }) => textResult(text),
  });
  const server = { name: 'bench', version: '1', tools: [echo] };
  return (await serveHttp({ host: '127.0.0.1', port: 0, rpc: { server, paths: ['/mcp'] } })).port;
}

/** The SDK as its documentation wires it: stateless, one low-level server a request. */
function startSdk(): Promise<number> {
  const handler = createMcpHandler(() => {
    const sdk = new Server({ name: 'bench', version: '1' }, { capabilities: { tools: {} } });
    sdk.setRequestHandler('tools/list', async () => ({
      tools: [{ name: 'echo', description, inputSchema: { type: 'object' as const } }],
    }));
    sdk.setRequestHandler('tools/call', async ({ params }) => ({
      content: [{ type: 'text' as const, text: String(params.arguments?.text) }],
    }));
    return sdk;
  });
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [
      name,
      String(value),
    ]);
    const asked = new Request('http://localhost/mcp', {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    });
    const answer = await handler.fetch(asked);
    response
      .writeHead(answer.status, Object.fromEntries(answer.headers))
      .end(Buffer.from(await answer.arrayBuffer()));
  });
  return listening(server);
}

function listening(server: ReturnType<typeof createServer>): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

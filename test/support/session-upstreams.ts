import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An upstream that insists on sessions and answers a tool call with the session it ran in, and a long text. */
export async function startSessionUpstream(): Promise<{ url: string; close(): void }> {
  let opened = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}');
    const session = String(request.headers['mcp-session-id'] ?? '');
    const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(body));
    if (method === 'initialize') {
      opened += 1;
      const result = {
        protocolVersion: '2025-06-18',
        capabilities: {},
        serverInfo: { name: 'u', version: '1' },
      };
      return answer(200, { jsonrpc: '2.0', id, result }, { 'mcp-session-id': `upstream-${opened}` });
    }
    if (!session.startsWith('upstream-'))
      return answer(400, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no session' } });
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'tools/list') return answer(200, { jsonrpc: '2.0', id, result: { tools: [] } });
    const content = [
      { type: 'text', text: `in ${session}` },
      { type: 'text', text: `${session} `.repeat(3000) },
    ];
    answer(200, { jsonrpc: '2.0', id, result: { content } });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => server.close(),
  };
}

/** A stdio upstream that answers every request with its PID. */
export const PID_SERVER = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } };
  const result = method === 'initialize' ? hello : { content: [{ type: 'text', text: 'pid ' + process.pid }] };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
});`;

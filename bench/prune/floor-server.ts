import { createServer } from 'node:http';

/** The least any server does for a pruning request: parse, split, keep every third line, serialise. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, params } = JSON.parse(Buffer.concat(chunks).toString());
  const lines: string[] = params.arguments.text.split('\n');
  const kept = lines.filter((_, index) => index % 3 === 0);
  const text = JSON.stringify({
    pruned_text: kept.join('\n'),
    annotations: [],
    stats: { kept_lines: kept.length },
    warnings: [],
  });
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
}).listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address !== 'string') console.log(`http://127.0.0.1:${address.port}`);
});

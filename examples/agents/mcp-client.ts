/** An agent loop over an MCP client that reads cut results. Run: MODEL_URL=http://… node mcp-client.js SERVER.js 'Why do the tests fail?' */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { createSecateur } from 'secateur';
import { prunedClientTransport } from 'secateur/mcp';

interface ModelMessage {
  role: string;
  content?: unknown;
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

const [server = 'server.js', prompt = 'Why do the tests fail?'] = process.argv.slice(2);
const secateur = await createSecateur();
const client = new Client({ name: 'agent', version: '1.0.0' });
const stdio = new StdioClientTransport({ command: process.execPath, args: [server] });
await client.connect(prunedClientTransport(secateur, stdio));

const { tools } = await client.listTools();
const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
for (let answer = await ask(); ; answer = await ask()) {
  messages.push(answer);
  if (answer.tool_calls === undefined) break;
  for (const { id, function: called } of answer.tool_calls) {
    const args = JSON.parse(called.arguments) as Record<string, unknown>;
    const { content } = await client.callTool({ name: called.name, arguments: args });
    messages.push({ role: 'tool', tool_call_id: id, content });
  }
}
console.log(messages.at(-1)?.content);
await client.close();
await secateur.close();

async function ask(): Promise<ModelMessage> {
  const offered = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: 'function',
    function: { name, description, parameters },
  }));
  const body = JSON.stringify({ model: 'scripted', messages, tools: offered });
  const response = await fetch(`${process.env.MODEL_URL}/v1/chat/completions`, { method: 'POST', body });
  const { choices } = (await response.json()) as { choices: { message: ModelMessage }[] };
  const message = choices[0]?.message;
  if (message === undefined) throw new Error('the model did not answer');
  return message;
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { expect, it, onTestFinished } from 'vitest';
import { createSecateur } from '../../../packages/engine/src/secateur.ts';
import { withSecateur as forAiSdk } from '../../../packages/secateur/src/adapters/ai-sdk.ts';
import { withSecateur as forLangChain } from '../../../packages/secateur/src/adapters/langchain.ts';
import { prunedClientTransport } from '../../../packages/secateur/src/adapters/mcp.ts';
import { withSecateur as forOpenAi } from '../../../packages/secateur/src/adapters/openai-agents.ts';
import { describeWith } from '../../support/system-parts.ts';

const source = readFileSync(
  new URL('../../../packages/engine/src/recovery/recovery.ts', import.meta.url),
  'utf8',
);
const run = readFileSync(new URL('../../../examples/failing-test-run.txt', import.meta.url), 'utf8');
const half = source.slice(0, source.length / 2);
const command = 'python -m unittest -v';
const path = 'src/recovery/recovery.ts';

async function opened() {
  const secateur = await createSecateur({ maxWorkers: 0 });
  onTestFinished(() => secateur.close());
  return secateur;
}

const shownBefore = [
  { role: 'user', content: 'Change how ids are made' },
  {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: '1', toolName: 'shell', input: { command: `head -120 ${path}` } },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: '1', toolName: 'shell', output: { type: 'text', value: half } },
    ],
  },
];

it('[L3] the AI SDK adapter does not repeat lines that an earlier message shows', async () => {
  const { read } = forAiSdk(await opened(), { read: { execute: reads(source) } });
  const cut = await read.execute({ path }, { toolCallId: '2', messages: shownBefore });
  expect(cut).toContain('unchanged, shown above by: head');
  expect(cut.length).toBeLessThan(source.length);
});

it('[L3] the AI SDK adapter returns the whole output if the same call came before and its output was shortened', async () => {
  const { shell } = forAiSdk(await opened(), { shell: { execute: reads(run) } });
  const cut = await shell.execute({ command }, { toolCallId: '1', messages: [] });
  expect(cut.length).toBeLessThan(run.length);
  const output = { type: 'text', value: cut };
  const messages = [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: '1', toolName: 'shell', input: { command } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'shell', output }] },
  ];
  expect(await shell.execute({ command }, { toolCallId: '2', messages })).toBe(run);
});

it('[L3] the AI SDK adapter shortens strings inside objects and returns binary data, errors and malformed messages unchanged', async () => {
  const answer = { stdout: run, exitCode: 1, image: { data: run } };
  const { shell, fails } = forAiSdk(await opened(), {
    shell: { execute: async (_: unknown, __?: unknown) => answer },
    fails: { execute: async (_: unknown) => Promise.reject(new Error('no such file')) },
  });
  const cut = await shell.execute({ command }, { toolCallId: '1', messages: [null, 7, { role: 'user' }] });
  expect(cut.stdout.length).toBeLessThan(run.length);
  expect({ ...cut, stdout: run }).toEqual(answer);
  expect((await shell.execute({ command })).stdout.length).toBeLessThan(run.length);
  await expect(fails.execute({})).rejects.toThrow('no such file');
});

it('[L3] the AI SDK adapter shortens the last value of a tool that streams', async () => {
  async function* execute(_: unknown): AsyncGenerator<string> {
    yield 'running';
    yield run;
  }
  const { shell } = forAiSdk(await opened(), { shell: { execute } });
  const values: string[] = [];
  for await (const value of shell.execute({ command })) values.push(value);
  expect(values[0]).toBe('running');
  expect(values[1]).toContain('✂ prn_');
});

it('[L3] the OpenAI Agents adapter reads the focus and earlier outputs from the model input', async () => {
  const reader = { type: 'function', name: 'read', invoke: async (..._: unknown[]) => source };
  const agents = {
    tool: (definition: { name: string }) => ({
      type: 'function',
      name: definition.name,
      invoke: reader.invoke,
    }),
  };
  const { tools, callModelInputFilter } = forOpenAi(await opened(), [reader], agents);
  const input = [
    { type: 'message', role: 'user', content: 'Change how ids are made' },
    { type: 'function_call', callId: '1', name: 'shell', arguments: `{"command":"head -120 ${path}"}` },
    { type: 'function_call_result', callId: '1', name: 'shell', output: { type: 'text', text: half } },
  ];
  const modelData = { input };
  expect(callModelInputFilter({ modelData })).toBe(modelData);
  const cut = await tools[0]?.invoke({}, JSON.stringify({ path }), { toolCall: { callId: '2' } });
  expect(cut).toContain('unchanged, shown above by: head');
  expect(tools[1]?.name).toBe('recover_text');
});

it('[L3] the MCP adapter offers recover_text once, on the last page of the tools', async () => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  const transport = prunedClientTransport(await opened(), near);
  far.onmessage = (message) => {
    const { id, params } = message as { id: number; params?: { cursor?: string } };
    const page = params?.cursor === undefined ? { tools: [], nextCursor: 'b' } : { tools: [] };
    void far.send({ jsonrpc: '2.0', id, result: page });
  };
  const answers: unknown[] = [];
  transport.onmessage = (message) => 'result' in message && answers.push(message.result.tools);
  await Promise.all([transport.start(), far.start()]);
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { cursor: 'b' } });
  await expect.poll(() => answers).toEqual([[], [expect.objectContaining({ name: 'recover_text' })]]);
  await transport.close();
});

describeWith(['langchain'], 'withSecateur of secateur/langchain', ({ langchain }) => {
  it('[L3] withSecateur of secateur/langchain shortens the outputs of real tools, remembers shown lines and adds recover_text', async () => {
    const entry = pathToFileURL(join(langchain, '../dist/index.js')).href;
    const { tool } = (await import(entry)) as { tool(run: unknown, fields: unknown): LangChainTool };
    const schema = { type: 'object', properties: { path: { type: 'string' }, command: { type: 'string' } } };
    const texts = [half, source, run];
    const reader = tool(() => texts.shift(), { name: 'read', description: 'Reads.', schema });
    const [read, recover] = forLangChain(await opened(), [reader], { tool });
    const first = await read?.invoke({ command: `head -120 ${path}` });
    expect(first).toBe(half);
    const call = { type: 'tool_call', name: 'read', id: 'c2', args: { path } };
    expect(await read?.invoke(call)).toMatchObject({
      content: expect.stringContaining('unchanged, shown above by: head'),
    });
    const cut = String(await read?.invoke({ command }));
    const [, id] = /✂ (prn_\w+): /.exec(cut) ?? [];
    const lines = await recover?.invoke({ prune_id: id, ranges: [{ start_line: 1, end_line: 1 }] });
    expect(lines).toBe(`1│ ${run.split('\n')[0]}`);
  });
});

interface LangChainTool {
  invoke(input: unknown): Promise<unknown>;
}

function reads(text: string) {
  return async (_: unknown, __?: unknown): Promise<string> => text;
}

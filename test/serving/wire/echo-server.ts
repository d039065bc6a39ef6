import { DomainError } from '../../../packages/base/src/runtime/domain-error.ts';
import { Type } from '../../../packages/base/src/tools/schema.ts';
import { defineTool, type Tool, textResult } from '../../../packages/base/src/tools/tool.ts';
import type { RpcServer } from '../../../packages/serving/src/wire/protocol.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Gives the text back.',
  aliases: ['repeat'],
  annotations: { readOnlyHint: true },
  inputSchema: Type.Object(
    {
      text: Type.String(),
      options: Type.Optional(
        Type.Object(
          {
            times: Type.Integer({ minimum: 1, maximum: 5 }),
            ratio: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  check: ({ text }) => (text.includes('\0') ? [{ field: 'text', message: 'must not contain NUL' }] : []),
  handle: async ({ text, options }) => textResult(text.repeat(options?.times ?? 1)),
});

const fail = defineTool({
  name: 'fail',
  description: 'Fails in the way asked for.',
  inputSchema: Type.Object({ how: Type.String() }, { additionalProperties: false }),
  handle: async ({ how }) => {
    if (how === 'known')
      throw new DomainError('thing_not_found', 'No such thing', { hint: 'Look again.', data: { thing: 7 } });
    if (how === 'domain')
      throw new DomainError('disk_full', 'The disk is full', { cause: new Error('ENOSPC /secret/path') });
    if (how === 'unprintable') return { content: [], structuredContent: { big: 1n } };
    throw new Error('password=hunter2');
  },
});

const slow = defineTool({
  name: 'slow',
  description: 'Reports progress, then waits until it is told to stop or the time is over.',
  inputSchema: Type.Object({ steps: Type.Integer({ minimum: 0 }), wait_ms: Type.Integer({ minimum: 0 }) }),
  handle: async ({ steps, wait_ms }, { progress, signal }) => {
    for (let step = 1; step <= steps; step += 1)
      progress({ progress: step, total: steps, message: `step ${step}` });
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(resolve, wait_ms);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(new Error('stopped'));
      });
    });
    return textResult('done');
  },
});

/** Returns a small server with one tool per feature of the wire. */
export function echoServer(parts: Partial<RpcServer> = {}): RpcServer {
  const tools: Tool[] = [echo, fail, slow];
  return {
    name: 'echo-server',
    version: '1.2.3',
    tools,
    initializeExtras: { jeeves: { schemaVersion: 1 } },
    methods: { health: async () => ({ status: 'healthy' }) },
    errorCodes: { thing_not_found: -32004 },
    ...parts,
  };
}

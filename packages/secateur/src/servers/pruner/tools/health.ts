import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, type Tool, textResult } from '@secateur/base/tools/tool.ts';

export type Health = () => Record<string, unknown>;

export function healthTool(health: Health): Tool {
  return defineTool({
    name: 'health',
    title: 'Server health',
    description: 'Says whether the pruner is up, its version and what it can do.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: Type.Object({}, { additionalProperties: false }),
    handle: async () => textResult(JSON.stringify(health())),
  });
}

import { setTimeout as wait } from 'node:timers/promises';
import { Type } from '../../packages/base/src/tools/schema.ts';
import {
  type ContentBlock,
  defineTool,
  RpcError,
  type Tool,
  type ToolResult,
  textResult,
} from '../../packages/base/src/tools/tool.ts';
import type { RpcServer } from '../../packages/serving/src/wire/protocol.ts';

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value: string): ContentBlock => ({ type: 'text', text: value });
const image: ContentBlock = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, value: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: value },
});

function answering(name: string, content: ContentBlock[], extra: Partial<ToolResult> = {}): Tool {
  return tool(name, async () => ({ content, ...extra }));
}

function tool(name: string, handle: Parameters<typeof defineTool>[0]['handle']): Tool {
  return defineTool({ name, description: `Diagnostic tool ${name}.`, inputSchema: Type.Object({}), handle });
}

/** The tools the conformance suite asks for by name, on our wire: everything a server without prompts and resources can show. */
export const conformanceServer: RpcServer = {
  name: 'conformance-fixture',
  version: '1.0.0',
  tools: [
    answering('test_simple_text', [text('This is a simple text response for testing.')]),
    answering('test_image_content', [image]),
    answering('test_audio_content', [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }]),
    answering('test_embedded_resource', [
      resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
    ]),
    answering('test_multiple_content_types', [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ]),
    answering('test_error_handling', [text('This tool intentionally returns an error for testing')], {
      isError: true,
    }),
    tool('test_tool_with_progress', async (_, { progress }) => {
      for (const done of [0, 50, 100]) {
        progress({ progress: done, total: 100 });
        await wait(20);
      }
      return textResult('done');
    }),
    tool('test_missing_capability', async () => {
      throw new RpcError(-32021, 'Missing required client capability', {
        requiredCapabilities: { sampling: {} },
      });
    }),
    // Nothing on our wire can ask the client a question or send it a log line; these two let the suite look for one.
    tool('test_streaming_elicitation', async (_, { progress }) => {
      progress({ progress: 1 });
      return textResult('asked nothing');
    }),
    answering('test_logging_tool', [text('logged nothing')]),
  ],
};

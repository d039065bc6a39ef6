import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, type Tool } from '@secateur/base/tools/tool.ts';
import { type FileText, readFileInside } from '@secateur/serving/workspace/files-in-root.ts';
import {
  type CallTiming,
  MAX_OUTPUT_BYTES,
  outputArguments,
  pathErrors,
  runTool,
  type ToolOutput,
} from '../run-tool.ts';
import type { FocusToolDeps } from '../server.ts';

const inputSchema = Type.Object(
  {
    path: Type.String({ minLength: 1, description: 'File to read, relative to the root.' }),
    encoding: Type.Optional(Type.Literal('utf-8')),
    ...outputArguments,
  },
  { additionalProperties: false },
);

export function readTool(parts: FocusToolDeps): Tool {
  return defineTool({
    name: 'read',
    title: 'Read a file',
    description:
      'Reads a text file. With context_focus_question only the lines that matter for it come back; each gap is marked with its line numbers.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema,
    check: ({ path }) => pathErrors(parts.root, 'path', path),
    handle: (args, context) => {
      const { path, max_output_bytes: maxBytes = MAX_OUTPUT_BYTES } = args;
      const work = () => readFileInside(parts.root, path, { maxBytes, numbered: parts.textOnly });
      const output = (file: FileText, done: CallTiming) => printed(path, file, done);
      const source = { kind: 'file', path } as const;
      return runTool({ tool: 'read', source, args, work, codeOf, output }, context, parts);
    },
  });
}

function printed(path: string, file: FileText, { durationMs: duration_ms, events }: CallTiming): ToolOutput {
  const { text, fileBytes: bytes, truncated, hasInvalidUtf8 } = file;
  const shownBytes = Buffer.byteLength(text);
  events.succeeded({ duration_ms, bytes: shownBytes });
  const note = hasInvalidUtf8 ? { note: INVALID_UTF8 } : {};
  const notes = [
    ...(truncated ? [`\n[cut after ${shownBytes} of ${bytes} bytes; the file goes on]`] : []),
    ...(hasInvalidUtf8 ? [`\n[${INVALID_UTF8}]`] : []),
  ];
  return {
    numbered: true,
    texts: [text],
    present: ([focused]) => ({
      text: `${focused?.text ?? ''}${notes.join('')}`,
      fields: { path, encoding: 'utf-8', truncated, bytes, ...note, duration_ms },
      output: { content: focused?.text ?? '' },
    }),
  };
}

const INVALID_UTF8 = 'the file is not valid UTF-8; bytes that could not be decoded are shown as U+FFFD (�)';

const CODES = ['not_found', 'permission_denied', 'invalid_path'];

function codeOf({ code }: DomainError): string {
  return CODES.includes(code) ? code : 'io_error';
}

import type { DomainError } from '../../../runtime/domain-error.ts';
import { Type } from '../../../wire/schema.ts';
import { defineTool, type Tool } from '../../../wire/tool.ts';
import { type FileText, readFileInside } from '../../../workspace/read-file.ts';
import type { ToolOutput } from '../answer.ts';
import { MOST_OUTPUT_BYTES, maxOutputBytesSchema, pathErrors, questionSchema } from '../arguments.ts';
import { type Done, runTool } from '../run-tool.ts';
import type { FocusToolParts } from '../server.ts';

const inputSchema = Type.Object(
  {
    path: Type.String({ minLength: 1, description: 'File to read, relative to the root.' }),
    encoding: Type.Optional(Type.Literal('utf-8')),
    max_output_bytes: maxOutputBytesSchema,
    context_focus_question: questionSchema,
  },
  { additionalProperties: false },
);

export function readTool(parts: FocusToolParts): Tool {
  return defineTool({
    name: 'read',
    title: 'Read a file',
    description:
      'Reads a text file. With context_focus_question only the lines that matter for it come back; each gap is marked with its line numbers.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema,
    check: ({ path }) => pathErrors(parts.root, 'path', path),
    handle: (args, context) => {
      const { path, max_output_bytes: maxBytes = MOST_OUTPUT_BYTES } = args;
      const work = () => readFileInside(parts.root, path, maxBytes);
      const output = (file: FileText, done: Done) => printed(path, file, done);
      return runTool({ origin: { tool: 'read', path }, args, work, codeOf, output }, context, parts);
    },
  });
}

function printed(path: string, { text, bytes, truncated }: FileText, done: Done): ToolOutput {
  const duration_ms = done.durationMs;
  done.events.succeeded({ duration_ms, bytes });
  return {
    numbered: true,
    texts: [text],
    present: ([focused]) => ({
      text: `${focused?.text ?? ''}${truncated ? `\n[cut after ${bytes} bytes; the file goes on]` : ''}`,
      fields: { path, encoding: 'utf-8', truncated, bytes, duration_ms },
      output: { content: focused?.text ?? '' },
    }),
  };
}

const CODES = ['not_found', 'permission_denied', 'invalid_path'];

function codeOf({ code }: DomainError): string {
  return CODES.includes(code) ? code : 'io_error';
}

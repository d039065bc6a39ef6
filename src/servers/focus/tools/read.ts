import type { Static } from 'typebox';
import type { DomainError } from '../../../runtime/domain-error.ts';
import { Type } from '../../../wire/schema.ts';
import { defineTool, type Tool, type ToolCallContext } from '../../../wire/tool.ts';
import { type FileText, readFileInside } from '../../../workspace/read-file.ts';
import { answer, failedOutput } from '../answer.ts';
import { MOST_OUTPUT_BYTES, maxOutputBytesSchema, pathErrors, questionSchema } from '../arguments.ts';
import { attempt } from '../attempt.ts';
import { callEvents } from '../events.ts';
import type { FocusToolParts } from '../tools.ts';

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
    handle: (args, context) => read(args, context, parts),
  });
}

type ReadArguments = Static<typeof inputSchema>;

async function read(args: ReadArguments, context: ToolCallContext, parts: FocusToolParts) {
  const { path, max_output_bytes: maxOutputBytes, context_focus_question: question } = args;
  const events = callEvents(parts.log, { tool: 'read', requestId: context.requestId });
  const done = await attempt({ context, events, clock: parts.clock, codeOf }, () =>
    readFileInside(parts.root, path, maxOutputBytes ?? MOST_OUTPUT_BYTES),
  );
  const common = { origin: { tool: 'read', path }, question, maxOutputBytes } as const;
  if (done.kind === 'failed') {
    return answer({ ...common, ...failedOutput(done.error) }, { context, events }, parts);
  }
  events.succeeded({ duration_ms: done.durationMs, bytes: done.value.bytes });
  return answer({ ...common, ...readSuccess(path, done) }, { context, events }, parts);
}

function readSuccess(path: string, { value, durationMs }: { value: FileText; durationMs: number }) {
  const { text, bytes, truncated } = value;
  return {
    numbered: true,
    texts: [text],
    present: ([focused]: readonly { text: string }[]) => ({
      text: `${focused?.text ?? ''}${truncated ? `\n[cut after ${bytes} bytes; the file goes on]` : ''}`,
      fields: { path, encoding: 'utf-8', truncated, bytes, duration_ms: durationMs },
      output: { content: focused?.text ?? '' },
    }),
  };
}

const CODES = ['not_found', 'permission_denied', 'invalid_path'];

function codeOf({ code }: DomainError): string {
  return CODES.includes(code) ? code : 'io_error';
}

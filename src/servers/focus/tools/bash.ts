import type { Static } from 'typebox';
import type { DomainError } from '../../../runtime/domain-error.ts';
import { Type } from '../../../wire/schema.ts';
import { defineTool, type Tool, type ToolCallContext } from '../../../wire/tool.ts';
import { openDirectory } from '../../../workspace/root.ts';
import { type CommandOutcome, runCommand } from '../../../workspace/run-command.ts';
import { answer } from '../answer.ts';
import {
  MOST_OUTPUT_BYTES,
  maxOutputBytesSchema,
  nulErrors,
  pathErrors,
  questionSchema,
  timeoutSchema,
  USUAL_TIMEOUT_MS,
} from '../arguments.ts';
import { attempt } from '../attempt.ts';
import { type CallEvents, callEvents } from '../events.ts';
import type { FocusToolParts } from '../tools.ts';

const inputSchema = Type.Object(
  {
    cmd: Type.String({ minLength: 1, maxLength: 50_000, description: 'Run by `bash -lc`, without input.' }),
    cwd: Type.Optional(
      Type.String({ minLength: 1, description: 'Relative to the root; the root unless told.' }),
    ),
    env: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Z_][A-Z0-9_]*$' }), Type.String({ maxLength: 4000 }), {
        additionalProperties: false,
        maxProperties: 200,
      }),
    ),
    timeout_ms: timeoutSchema,
    max_output_bytes: maxOutputBytesSchema,
    context_focus_question: questionSchema,
  },
  { additionalProperties: false },
);

export function bashTool(parts: FocusToolParts): Tool {
  return defineTool({
    name: 'bash',
    title: 'Run a command',
    description:
      'Runs a shell command and returns its output and exit code. With context_focus_question only the lines that matter for it come back; ' +
      'errors always stay. Processes left in the background end with the call.',
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    inputSchema,
    check: ({ cmd, cwd, env = {} }) => [
      ...nulErrors('cmd', cmd),
      ...pathErrors(parts.root, 'cwd', cwd),
      ...Object.entries(env).flatMap(([name, value]) => nulErrors(`env.${name}`, value)),
    ],
    handle: (args, context) => bash(args, context, parts),
  });
}

type BashArguments = Static<typeof inputSchema>;

async function bash(args: BashArguments, context: ToolCallContext, parts: FocusToolParts) {
  const { cmd, max_output_bytes: maxOutputBytes, context_focus_question: question } = args;
  const events = callEvents(parts.log, { tool: 'bash', requestId: context.requestId });
  const done = await attempt({ context, events, clock: parts.clock, codeOf }, () =>
    execute(args, context, parts),
  );
  const common = { origin: { tool: 'bash', command: cmd }, question, maxOutputBytes } as const;
  if (done.kind === 'failed') {
    const { error } = done;
    const present = () => ({ text: error.message, fields: { error }, output: {} });
    return answer({ ...common, texts: [], isError: true, present }, { context, events }, parts);
  }
  const { cwd, outcome } = done.value;
  const failure = failureOf(outcome, args);
  report({ failure, outcome, args, events });
  const ended = failure === undefined ? succeeded({ cmd, cwd, outcome }) : failed(failure, outcome);
  const texts = [outcome.stdout, outcome.stderr];
  return answer({ ...common, texts, ...ended }, { context, events }, parts);
}

async function execute(
  args: BashArguments,
  { signal }: ToolCallContext,
  { root, ownEnv, lifeline, pipes, slots, clock }: FocusToolParts,
) {
  const directory = await openDirectory(root, args.cwd ?? '.');
  const outcome = await runCommand({
    command: args.cmd,
    cwd: directory.cwd,
    ownEnv,
    env: args.env ?? {},
    timeoutMs: args.timeout_ms ?? USUAL_TIMEOUT_MS,
    maxOutputBytes: args.max_output_bytes ?? MOST_OUTPUT_BYTES,
    signal,
    lifeline,
    pipes,
    slots,
    clock,
  }).finally(() => directory.close());
  return { cwd: directory.path, outcome };
}

/** A system that is short of something says nothing about the directory. */
function codeOf({ code }: DomainError): string {
  return code === 'io_error' ? 'spawn_error' : 'invalid_cwd';
}

interface Failure {
  code: 'timeout' | 'spawn_error' | 'nonzero_exit';
  message: string;
  exit_code?: number;
}

function failureOf(
  { end }: CommandOutcome,
  { timeout_ms = USUAL_TIMEOUT_MS }: BashArguments,
): Failure | undefined {
  if (end.kind === 'timeout')
    return { code: 'timeout', message: `the command was ended after ${timeout_ms} ms` };
  if (end.kind === 'spawn_error')
    return { code: 'spawn_error', message: `the shell could not be started: ${end.errno}` };
  if (end.kind !== 'exited' || end.exitCode === 0) return undefined;
  const how =
    end.signal === undefined ? `exit code ${end.exitCode}` : `exit code ${end.exitCode} (${end.signal})`;
  return { code: 'nonzero_exit', message: how, exit_code: end.exitCode };
}

interface Ended {
  failure: Failure | undefined;
  outcome: CommandOutcome;
  args: BashArguments;
  events: CallEvents;
}

function report({ failure, outcome, args, events }: Ended): void {
  const { durationMs: duration_ms } = outcome.end;
  if (failure === undefined) {
    events.succeeded({
      duration_ms,
      bytes: Buffer.byteLength(outcome.stdout) + Buffer.byteLength(outcome.stderr),
    });
    return;
  }
  if (failure.code === 'timeout') events.timedOut(args.timeout_ms ?? USUAL_TIMEOUT_MS);
  events.failed({ ...failure, duration_ms });
}

type Texts = readonly { text: string }[];

function succeeded({ cmd, cwd, outcome }: { cmd: string; cwd: string; outcome: CommandOutcome }) {
  const { truncated, end } = outcome;
  return {
    present: ([stdout, stderr]: Texts) => ({
      text: streams(stdout?.text ?? '', stderr?.text ?? ''),
      fields: { cmd, cwd, exit_code: 0, timed_out: false, truncated, duration_ms: end.durationMs },
      output: { stdout: stdout?.text ?? '', stderr: stderr?.text ?? '' },
    }),
  };
}

function failed(error: Failure, { truncated, end }: CommandOutcome) {
  return {
    isError: true,
    present: ([stdout, stderr]: Texts) => ({
      text: `[${error.message}]\n${streams(stdout?.text ?? '', stderr?.text ?? '')}`,
      fields: { error, truncated, duration_ms: end.durationMs },
      output: { stdout: stdout?.text ?? '', stderr: stderr?.text ?? '' },
    }),
  };
}

function streams(stdout: string, stderr: string): string {
  if (stderr === '') return stdout;
  const gap = stdout === '' || stdout.endsWith('\n') ? '' : '\n';
  return `${stdout}${gap}[stderr]\n${stderr}`;
}

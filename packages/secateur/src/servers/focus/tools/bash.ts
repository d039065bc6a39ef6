import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, type Tool, type ToolCallContext } from '@secateur/base/tools/tool.ts';
import { openDirectory } from '@secateur/serving/workspace/root.ts';
import { type CommandOutcome, runCommand } from '@secateur/serving/workspace/run-command.ts';
import type { Static } from 'typebox';
import {
  type CallTiming,
  DEFAULT_TIMEOUT_MS,
  MAX_OUTPUT_BYTES,
  nulErrors,
  outputArguments,
  pathErrors,
  runTool,
  type ToolOutput,
  timeoutSchema,
} from '../run-tool.ts';
import type { FocusToolDeps } from '../server.ts';

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
    ...outputArguments,
  },
  { additionalProperties: false },
);

export function bashTool(parts: FocusToolDeps): Tool {
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
    handle: (args, context) => {
      const work = () => execute(args, context, parts);
      const output = (ran: Ran, done: CallTiming) => printed(args, ran, done);
      const source = { kind: 'command', command: args.cmd } as const;
      return runTool({ tool: 'bash', source, args, work, codeOf, output }, context, parts);
    },
  });
}

type BashArguments = Static<typeof inputSchema>;

type Ran = CommandOutcome & { cwd: string };

async function execute(args: BashArguments, { signal }: ToolCallContext, parts: FocusToolDeps): Promise<Ran> {
  const directory = await openDirectory(parts.root, args.cwd ?? '.');
  const outcome = await runCommand({
    ...parts,
    command: args.cmd,
    cwd: directory.cwd,
    env: args.env ?? {},
    timeoutMs: args.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    maxOutputBytes: args.max_output_bytes ?? MAX_OUTPUT_BYTES,
    signal,
  }).finally(() => directory.close());
  return { ...outcome, cwd: directory.path };
}

function printed(args: BashArguments, { cwd, ...outcome }: Ran, { events }: CallTiming): ToolOutput {
  const { truncated, end, stdout, stderr } = outcome;
  const texts = [stdout, stderr];
  const whole = { text: streams(stdout, stderr), split: (pruned: string) => splitStreams(pruned, stdout) };
  const measured = { truncated, duration_ms: end.durationMs };
  const failure = failureOf(outcome, args);
  if (failure === undefined) {
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    events.succeeded({ duration_ms: end.durationMs, bytes });
    const fields = { cmd: args.cmd, cwd, exit_code: 0, timed_out: false, ...measured };
    return { texts, whole, present: presented('', fields) };
  }
  if (failure.code === 'timeout') events.timedOut(args.timeout_ms ?? DEFAULT_TIMEOUT_MS);
  events.failed({ ...failure, duration_ms: end.durationMs });
  const present = presented(`[${failure.message}]\n`, { error: failure, ...measured });
  return { texts, whole, isError: true, present };
}

/** Returns the code of a failure. If the system lacks resources, the code is not one about the directory. */
function codeOf({ code }: DomainError): string {
  return code === 'io_error' ? 'spawn_error' : 'invalid_cwd';
}

function failureOf({ end }: CommandOutcome, { timeout_ms = DEFAULT_TIMEOUT_MS }: BashArguments) {
  if (end.kind === 'timeout')
    return { code: 'timeout', message: `the command was ended after ${timeout_ms} ms` };
  if (end.kind === 'spawn_error')
    return { code: 'spawn_error', message: `the shell could not be started: ${end.errno}` };
  if (end.kind !== 'exited' || end.exitCode === 0) return undefined;
  const how =
    end.signal === undefined ? `exit code ${end.exitCode}` : `exit code ${end.exitCode} (${end.signal})`;
  return { code: 'nonzero_exit', message: how, exit_code: end.exitCode };
}

function presented(head: string, fields: Record<string, unknown>): ToolOutput['present'] {
  return ([out, err]) => {
    const output = { stdout: out?.text ?? '', stderr: err?.text ?? '' };
    return { text: head + streams(output.stdout, output.stderr), fields, output };
  };
}

function streams(stdout: string, stderr: string): string {
  if (stderr === '') return stdout;
  const gap = stdout === '' || stdout.endsWith('\n') ? '' : '\n';
  return `${stdout}${gap}[stderr]\n${stderr}`;
}

const STDERR_LINE = /(?:^|\n)\[stderr\](?:\n|$)/;

/** Splits a text that `streams` has joined. If the separator line was removed, all text belongs to one stream. */
function splitStreams(text: string, rawStdout: string): string[] {
  const line = STDERR_LINE.exec(text);
  if (line === null) return rawStdout === '' ? ['', text] : [text, ''];
  const endOfStdout = line.index + (line[0].startsWith('\n') ? 1 : 0);
  return [text.slice(0, endOfStdout), text.slice(line.index + line[0].length)];
}

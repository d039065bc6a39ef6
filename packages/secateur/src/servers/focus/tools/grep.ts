import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, type Tool, type ToolCallContext } from '@secateur/base/tools/tool.ts';
import { realDirectory } from '@secateur/serving/workspace/root.ts';
import { type SearchOutcome, searchFiles } from '@secateur/serving/workspace/search-files.ts';
import type { Static } from 'typebox';
import { failedOutput, type ToolOutput } from '../answer.ts';
import {
  MOST_OUTPUT_BYTES,
  maxOutputBytesSchema,
  nulErrors,
  pathErrors,
  questionSchema,
  timeoutSchema,
  USUAL_TIMEOUT_MS,
} from '../arguments.ts';
import { cutNotes, keptMatches, matchLine, withinBytes } from '../match-lines.ts';
import { type Done, runTool } from '../run-tool.ts';
import type { FocusToolParts } from '../server.ts';

const USUAL_MATCHES = 500;

const inputSchema = Type.Object(
  {
    pattern: Type.String({ minLength: 1, maxLength: 10_000, description: 'Regular expression of ripgrep.' }),
    paths: Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Files and folders, relative to the root (not to cwd); ["."] searches everything.',
    }),
    cwd: Type.Optional(Type.String({ minLength: 1, description: 'Must exist; paths do not depend on it.' })),
    fixed_string: Type.Optional(Type.Boolean({ default: false, description: 'The pattern is plain text.' })),
    case_sensitive: Type.Optional(Type.Boolean({ default: true })),
    timeout_ms: timeoutSchema,
    max_matches: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: USUAL_MATCHES })),
    max_output_bytes: maxOutputBytesSchema,
    context_focus_question: questionSchema,
  },
  { additionalProperties: false },
);

export function grepTool(parts: FocusToolParts): Tool {
  return defineTool({
    name: 'grep',
    title: 'Search files',
    description:
      'Searches files with ripgrep; ignored files are left out unless named. With context_focus_question only the matches that matter for it come back.',
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema,
    check: ({ pattern, paths, cwd }) => [
      ...nulErrors('pattern', pattern),
      ...paths.flatMap((path, index) => pathErrors(parts.root, `paths[${index}]`, path)),
      ...pathErrors(parts.root, 'cwd', cwd),
    ],
    handle: (args, context) => {
      const work = () => search(args, context, parts);
      const output = (outcome: SearchOutcome, done: Done) => printed(args, outcome, done);
      const origin = { tool: 'grep', pattern: args.pattern } as const;
      return runTool({ origin, args, work, codeOf, output }, context, parts);
    },
  });
}

type GrepArguments = Static<typeof inputSchema>;

async function search(
  args: GrepArguments,
  { signal }: ToolCallContext,
  { root, slots, clock }: FocusToolParts,
) {
  // Paths are relative to the root whatever `cwd` is: it only has to exist.
  if (args.cwd !== undefined) await realDirectory(root, args.cwd);
  return searchFiles(root, {
    pattern: args.pattern,
    paths: args.paths,
    fixedString: args.fixed_string ?? false,
    caseSensitive: args.case_sensitive ?? true,
    maxMatches: args.max_matches ?? USUAL_MATCHES,
    timeoutMs: args.timeout_ms ?? USUAL_TIMEOUT_MS,
    signal,
    slots,
    clock,
  });
}

interface Failure {
  code: string;
  message: string;
  exit_code?: number;
}

function codeOf({ code }: DomainError): string {
  return code === 'ripgrep_missing' || code === 'io_error' ? 'spawn_error' : 'invalid_path';
}

function failureOf(outcome: SearchOutcome, { timeout_ms = USUAL_TIMEOUT_MS }: GrepArguments): Failure {
  if (outcome.kind === 'failed')
    return { code: 'rg_error', message: outcome.message, exit_code: outcome.exitCode };
  if (outcome.kind === 'timeout')
    return { code: 'timeout', message: `the search was ended after ${timeout_ms} ms` };
  const errno = outcome.kind === 'spawn_error' ? `: ${outcome.errno}` : '';
  return { code: 'spawn_error', message: `ripgrep could not be started${errno}` };
}

function printed(args: GrepArguments, outcome: SearchOutcome, { events, durationMs }: Done): ToolOutput {
  if (outcome.kind !== 'searched') {
    const failure = failureOf(outcome, args);
    if (failure.code === 'timeout') events.timedOut(args.timeout_ms ?? USUAL_TIMEOUT_MS);
    // ripgrep repeats the pattern, which may be a secret somebody looks for.
    const message = failure.code === 'rg_error' ? 'ripgrep could not run this search' : failure.message;
    events.failed({ ...failure, message, duration_ms: durationMs });
    return failedOutput(failure);
  }
  const { matches, bytes } = withinBytes(outcome.matches, args.max_output_bytes ?? MOST_OUTPUT_BYTES);
  events.succeeded({ duration_ms: durationMs, bytes });
  const { pattern, paths } = args;
  const cuts = cutNotes(matches.length, outcome);
  const fields = {
    ...{ pattern, paths, match_count: outcome.matchCount },
    ...(outcome.isCountExact ? {} : { match_count_exact: false }),
    ...{ truncated: cuts.length > 0, duration_ms: durationMs },
  };
  return {
    texts: [matches.map(matchLine).join('\n')],
    present: ([focused]) => {
      const shown = focused?.text ?? '';
      const kept = keptMatches(matches, shown);
      return {
        text: [shown, ...cuts].join('\n'),
        fields,
        output: { matches: kept.matches, ...(kept.notes.length === 0 ? {} : { notes: kept.notes }) },
      };
    },
  };
}

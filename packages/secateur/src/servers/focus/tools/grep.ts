import type { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, type Tool, type ToolCallContext } from '@secateur/base/tools/tool.ts';
import { realDirectory } from '@secateur/serving/workspace/root.ts';
import {
  type SearchMatch,
  type SearchOutcome,
  type SearchResult,
  searchFiles,
} from '@secateur/serving/workspace/search-files.ts';
import type { Static } from 'typebox';
import {
  type CallTiming,
  DEFAULT_TIMEOUT_MS,
  failedOutput,
  MAX_OUTPUT_BYTES,
  nulErrors,
  outputArguments,
  pathErrors,
  runTool,
  type ToolOutput,
  timeoutSchema,
} from '../run-tool.ts';
import type { FocusToolDeps } from '../server.ts';

const DEFAULT_MATCHES = 500;

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
    max_matches: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000, default: DEFAULT_MATCHES })),
    ...outputArguments,
  },
  { additionalProperties: false },
);

export function grepTool(parts: FocusToolDeps): Tool {
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
      const output = (outcome: SearchOutcome, done: CallTiming) => printed(args, outcome, done);
      const source = { kind: 'search', pattern: args.pattern } as const;
      return runTool({ tool: 'grep', source, args, work, codeOf, output }, context, parts);
    },
  });
}

type GrepArguments = Static<typeof inputSchema>;

async function search(
  args: GrepArguments,
  { signal }: ToolCallContext,
  { root, slots, clock }: FocusToolDeps,
) {
  // Paths in results are relative to the root. The directory `cwd` only has to exist.
  if (args.cwd !== undefined) await realDirectory(root, args.cwd);
  return searchFiles(root, {
    pattern: args.pattern,
    paths: args.paths,
    fixedString: args.fixed_string ?? false,
    caseSensitive: args.case_sensitive ?? true,
    maxMatches: args.max_matches ?? DEFAULT_MATCHES,
    timeoutMs: args.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    signal,
    slots,
    clock,
  });
}

function codeOf({ code }: DomainError): string {
  return code === 'ripgrep_missing' || code === 'io_error' ? 'spawn_error' : 'invalid_path';
}

function failureOf(outcome: SearchOutcome, { timeout_ms = DEFAULT_TIMEOUT_MS }: GrepArguments) {
  if (outcome.kind === 'failed')
    return { code: 'rg_error', message: outcome.message, exit_code: outcome.exitCode };
  if (outcome.kind === 'timeout')
    return { code: 'timeout', message: `the search was ended after ${timeout_ms} ms` };
  const errno = outcome.kind === 'spawn_error' ? `: ${outcome.errno}` : '';
  return { code: 'spawn_error', message: `ripgrep could not be started${errno}` };
}

function printed(
  args: GrepArguments,
  outcome: SearchOutcome,
  { events, durationMs }: CallTiming,
): ToolOutput {
  if (outcome.kind !== 'searched') {
    const failure = failureOf(outcome, args);
    if (failure.code === 'timeout') events.timedOut(args.timeout_ms ?? DEFAULT_TIMEOUT_MS);
    // ripgrep's message repeats the pattern, which may be a secret.
    const message = failure.code === 'rg_error' ? 'ripgrep could not run this search' : failure.message;
    events.failed({ ...failure, message, duration_ms: durationMs });
    return failedOutput(failure);
  }
  const { matches, bytes } = withinBytes(outcome.matches, args.max_output_bytes ?? MAX_OUTPUT_BYTES);
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

/** Returns a match as a line in grep's format. Used for pruning, and for clients that show text. */
function matchLine({ path, line, text }: SearchMatch): string {
  // A line break in a file name would split the line.
  return `${path.replaceAll('\n', '\\n')}:${line}:${text}`;
}

/** Returns the first matches whose lines fit into the byte limit. Matches are never truncated. */
function withinBytes(matches: readonly SearchMatch[], maxBytes: number) {
  let bytes = 0;
  for (const [index, match] of matches.entries()) {
    const size = Buffer.byteLength(matchLine(match)) + (index === 0 ? 0 : 1);
    if (bytes + size > maxBytes) return { matches: matches.slice(0, index), bytes };
    bytes += size;
  }
  return { matches, bytes };
}

/** Describes what a response leaves out. Empty if it contains all matches with their whole lines. */
function cutNotes(shown: number, { matchCount, isCountExact, hasCutLines }: SearchResult): string[] {
  const total = isCountExact ? `${matchCount}` : `more than ${matchCount}`;
  return [
    ...(isCountExact && shown === matchCount ? [] : [`[the first ${shown} of ${total} matches]`]),
    ...(hasCutLines ? ['[long lines were cut around their match]'] : []),
  ];
}

/** Returns the matches that are still in a pruned text. The other lines (markers) become notes. */
function keptMatches(matches: readonly SearchMatch[], shown: string) {
  const kept: SearchMatch[] = [];
  const notes: string[] = [];
  let next = 0;
  for (const line of shown === '' ? [] : shown.split('\n')) {
    const at = matches.findIndex((each, index) => index >= next && matchLine(each) === line);
    const match = matches[at];
    if (match === undefined) {
      notes.push(line);
      continue;
    }
    kept.push(match);
    next = at + 1;
  }
  return { matches: kept, notes };
}

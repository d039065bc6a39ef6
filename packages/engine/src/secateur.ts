/**
 * The pruner as a library, `secateur`:
 *
 *     import { createSecateur } from 'secateur';
 *     const secateur = await createSecateur();
 *     const { text, id } = await secateur.cut(output, { command: 'npm test', task: 'Why does the retry test fail?' });
 *     const lines = await secateur.recover(id, [{ start: 36, end: 47 }]);
 *     await secateur.close();
 */

import { lineNumbers } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import type { Tool } from '@secateur/base/tools/tool.ts';
import { readMarker } from './marker.ts';
import { recoverTextTool } from './recover-text.ts';
import { isTooSmall, type PruneOutcome } from './request.ts';
import { type OpenedStore, openEngineAndStore, requestOf, storeOf } from './secateur/open-engine.ts';

/** Options of `createSecateur`. */
export interface SecateurOptions {
  /** Folder in which removed text is kept for a week. Other processes can recover it too. Default: removed text is kept in memory. */
  readonly dataDir?: string | undefined;
  /** `memory`, `files` (requires `dataDir`) or the address of a Redis, `redis://…`. Default: `files` with a `dataDir`, otherwise `memory`. */
  readonly store?: string | undefined;
  /** Minimum characters of a text that is cut. Default: 1000; with `maxPruneRatio`, none. */
  readonly minChars?: number | undefined;
  /** Number of worker threads that cut texts. With 0, texts are cut in the calling thread. Default: 1. */
  readonly maxWorkers?: number | undefined;
  /** Closes this Sécateur when it aborts. Cuts in progress then return their text unchanged. */
  readonly signal?: AbortSignal | undefined;
}

/** Facts about a text. All are optional, and all are only data: commands are never run and files never opened. */
export interface CutOptions {
  /** Question that the text should answer. Everything that does not answer it may be removed. */
  readonly question?: string | undefined;
  /** Purpose of the whole run: the user's request, or an issue. */
  readonly task?: string | undefined;
  /** The agent's last messages, oldest first. */
  readonly said?: string | readonly string[] | undefined;
  /** The shell command that printed the text. */
  readonly command?: string | undefined;
  /** The file that the text shows. */
  readonly path?: string | undefined;
  /** Number of the text's first line in `path`, if the text is a part of it. Markers then use line numbers of the file. */
  readonly firstLine?: number | undefined;
  /** The pattern that was searched for, if the text lists matches. */
  readonly pattern?: string | undefined;
  /** Category of the text. Default: determined from `path`, `command` and the text itself. */
  readonly sourceType?: 'code' | 'logs' | 'docs' | undefined;
  /** Earlier outputs that the model still sees, oldest first. Their lines need not be repeated. */
  readonly shown?: readonly ShownOutput[] | undefined;
  /** Maximum share of the lines that may be removed, 0 to 1. If set, lines are removed until it is reached, as by `prune_text`. */
  readonly maxPruneRatio?: number | undefined;
  /**
   * `compact` (default): markers such as `✂ 36-47`, with the id in a first line. `canonical`: the id in each
   * marker. `none`: no markers.
   */
  readonly markers?: 'compact' | 'canonical' | 'none' | undefined;
  /** Whether each kept line begins with its number. Default: false. */
  readonly lineNumbers?: boolean | undefined;
}

/** Output of an earlier call. */
export interface ShownOutput {
  /** One line that identifies the call: `cat src/a.ts`. */
  readonly call: string;
  /** Output as the model sees it. */
  readonly text: string;
}

/** Line numbers, from 1 and inclusive. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines that the returned text omits. `recover` accepts their numbers. */
export interface Gap extends LineRange {
  /** Description of the lines in a few words. */
  readonly reason: string;
}

/** Reason why a text was returned unchanged. */
export type WholeReason =
  /** The text has fewer characters than `minChars`. */
  | 'too_short'
  /** The text contains nothing that may be removed, or removing it would save too little. */
  | 'nothing_to_remove'
  /** The text is longer than 2,097,152 characters. */
  | 'input_too_large'
  /** The text contains bytes that are not text. */
  | 'not_text'
  /** The cut took longer than 10 seconds, or `signal` aborted. */
  | 'timeout'
  /** The store of removed text cannot be reached or written. */
  | 'recovery_unavailable'
  /** An option has a value that is not allowed. */
  | 'invalid_option'
  /** `close` was called. */
  | 'closed'
  | 'internal_error';

export interface Cut {
  /** Text for the model: the cut, or the original if nothing was removed. */
  readonly text: string;
  /** Id that recovers every line of the original. Absent if nothing was removed. */
  readonly id?: string;
  readonly gaps: readonly Gap[];
  /** Estimated tokens of the original. */
  readonly tokensBefore: number;
  /** Estimated tokens of `text`. */
  readonly tokensAfter: number;
  /** Reason why nothing was removed. Absent if something was. */
  readonly whole?: WholeReason;
}

/** Reasons why each line of a cut text was kept or removed. */
export interface CutExplanation {
  readonly id: string;
  /** Number of lines of the original. */
  readonly lines: number;
  readonly removed: readonly ExplainedGap[];
  readonly kept: readonly (LineRange & { readonly why: string })[];
}

export interface ExplainedGap extends Gap {
  /** Name of the rule that removed the lines, as in the setting `disabled_rules`. */
  readonly rule?: string;
  /** Sentence about the rule. */
  readonly why?: string;
}

/** Tool with which a model recovers removed lines. Its form fits every framework. */
export interface RecoverTool {
  readonly name: 'recover_text';
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Returns the lines, or a sentence that explains what went wrong. Never rejects. */
  call(args: unknown): Promise<string>;
}

export interface Secateur {
  /** Removes the parts of a text that the reader does not need. Never rejects: if anything fails, returns the whole text. */
  cut(text: string, options?: CutOptions): Promise<Cut>;
  /**
   * Returns lines of an original exactly as they were; without `ranges`, all of it. Rejects with an error
   * whose `code` is `prune_id_not_found`, `invalid_range` or `recovery_unavailable`.
   */
  recover(id: string, ranges?: readonly LineRange[]): Promise<string>;
  /** Explains a cut; `undefined` if the id is unknown or has expired. */
  explain(id: string): Promise<CutExplanation | undefined>;
  /** Tool with which a model recovers lines of cuts. */
  readonly recoverTool: RecoverTool;
  /** Ends the workers and closes the store. Later cuts return their texts unchanged. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a pruner. Nothing is started, opened or written before it is first used. Rejects if an option has a
 * value that is not allowed.
 */
export async function createSecateur(options: SecateurOptions = {}): Promise<Secateur> {
  const { minChars, maxWorkers = 1, signal } = options;
  const parts = openEngineAndStore({ store: storeOf(options), maxWorkers });
  const close = () => parts.close();
  signal?.addEventListener('abort', () => void close().catch(() => {}), { once: true });
  return {
    cut: async (text, asked = {}) => {
      if (parts.isClosed() || signal?.aborted) return unchanged(text, 'closed');
      try {
        const request = requestOf(text, asked, minChars);
        if (request === undefined) return unchanged(text, 'invalid_option');
        if (isTooSmall(text, request.options.least)) return unchanged(text, 'too_short');
        const opened = await parts.store().catch(() => undefined);
        if (opened === undefined) return unchanged(text, 'recovery_unavailable');
        return cutOf(text, await (await parts.pruner(opened)).prune(request, signal));
      } catch {
        return unchanged(text, 'internal_error');
      }
    },
    recover: async (id, ranges) => {
      const { recovery } = await parts.store();
      return (await recovery.recover(id, ranges ?? 'all')).texts.join('\n');
    },
    explain: async (id) => explain(id, await parts.store()),
    recoverTool: recoverToolOver(() => parts.store()),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function unchanged(text: string, whole: WholeReason): Cut {
  const tokens = typeof text === 'string' ? estimateTokens(text) : 0;
  return { text, gaps: [], tokensBefore: tokens, tokensAfter: tokens, whole };
}

function cutOf(text: string, { id, prunedText, annotations, stats, warnings }: PruneOutcome): Cut {
  const { tokensBefore, tokensAfter } = stats;
  const [whole = 'nothing_to_remove'] = warnings as WholeReason[];
  if (annotations.length === 0)
    return { text: stats.usedFallback ? text : prunedText, gaps: [], tokensBefore, tokensAfter, whole };
  const gaps = annotations.map(({ start, end, reason, marker }) => {
    const read = readMarker(marker);
    return { ...(read?.kind === 'gap' ? read.lines : { start, end }), reason };
  });
  return { text: prunedText, id, gaps, tokensBefore, tokensAfter };
}

async function explain(id: string, { notes }: OpenedStore): Promise<CutExplanation | undefined> {
  const { explainCut } = await import('./cut-note.ts');
  await notes.settled();
  const text = await explainCut(id, notes);
  if (text === undefined) return undefined;
  const { numberOf } = lineNumbers(text.lines, text.numbering ?? undefined);
  const numbered = ({ start, end }: LineRange) => ({ start: numberOf(start), end: numberOf(end) });
  return {
    id,
    lines: text.lines.length,
    removed: text.blocks.map(({ reason, rule, why, ...range }) => ({
      ...numbered(range),
      reason,
      ...(rule !== null && { rule }),
      ...(why !== null && { why }),
    })),
    kept: text.kept.map(({ why, ...range }) => ({ ...numbered(range), why })),
  };
}

const MAX_RECOVERED_BYTES = 4 * 1024 * 1024;

function recoverToolOver(open: () => Promise<OpenedStore>): RecoverTool {
  const recovery: Parameters<typeof recoverTextTool>[0]['recovery'] = {
    recover: async (id, ranges) => (await open()).recovery.recover(id, ranges),
    maxRecoveredBytes: MAX_RECOVERED_BYTES,
  };
  const tool: Tool = recoverTextTool({ recovery, forAgents: true, asText: true });
  const check = compileArgumentCheck(tool.acceptSchema ?? tool.inputSchema);
  const context = { requestId: '', signal: new AbortController().signal, progress: () => {} };
  return {
    name: 'recover_text',
    description: tool.description,
    inputSchema: tool.inputSchema as unknown as RecoverTool['inputSchema'],
    call: async (args) => {
      const [wrong] = check(args);
      if (wrong !== undefined) return `${wrong.field}: ${wrong.message}`;
      try {
        const { content } = await tool.call(args, context);
        return content.map(({ text = '' }) => text).join('\n');
      } catch (error) {
        return error instanceof Error ? error.message : 'recovery_unavailable';
      }
    },
  };
}

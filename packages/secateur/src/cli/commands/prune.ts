import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { SOURCE_TYPES } from '@secateur/engine/ranking/scorer.ts';
import { kindOfText, type PruneOptions, type PruneOutcome } from '@secateur/engine/request.ts';
import {
  choiceOf,
  defineCommand,
  type OptionValues,
  usageError,
} from '@secateur/serving/commands/command.ts';
import { isText, readBytes, type Terminal, writeAll } from '@secateur/serving/commands/terminal.ts';
import { outcomeShape, recordOutcome } from '../../servers/prune-outcome.ts';
import { cutLimitsOf, usdPerMillionTokens } from '../cut-settings.ts';
import { redactedLog, withServerDeps } from '../server-deps.ts';

const OPTIONS = {
  goal: {
    type: 'string',
    short: 'g',
    placeholder: 'TEXT',
    doc: 'what you want to know; a full question works best',
  },
  type: {
    type: 'string',
    short: 't',
    placeholder: 'TYPE',
    doc: 'code, logs or docs (default: by name and content)',
  },
  ratio: { type: 'string', placeholder: 'R', doc: 'maximum share of lines to remove, 0 to 1 (default 0.95)' },
  'min-keep-lines': { type: 'string', placeholder: 'N', doc: 'minimum number of lines to keep (default 0)' },
  'timeout-ms': {
    type: 'string',
    placeholder: 'N',
    doc: 'return the text unchanged after this time (default 10000)',
  },
  'line-numbers': { type: 'boolean', short: 'n', doc: 'prefix kept lines with their number' },
  'hide-markers': { type: 'boolean', doc: 'print no markers for removed lines' },
  json: { type: 'boolean', doc: 'the whole result of prune_text as JSON' },
} as const;

export const prune = defineCommand({
  usage: '[FILE] --goal TEXT [--type code|logs|docs] [--ratio R] [--json]',
  details:
    'Reads FILE, or standard input without one. Removed lines can be recovered with `secateur recover`.',
  sections: ['pruner', 'recovery', 'audit'],
  defaults: { recovery: { store: 'embedded' } },
  options: OPTIONS,
  positionals: { min: 0, max: 1 },
  examples: [
    {
      line: 'secateur prune src/app.ts --goal "where are retries counted?"',
      does: 'the lines that answer it',
    },
    {
      line: 'npm test 2>&1 | secateur prune -t logs -g "why does it fail?"',
      does: 'the failure and its context',
    },
  ],
  run: async ({ config, options, positionals, terminal }) => {
    const goal = options.goal ?? '';
    if (goal.trim() === '') throw usageError('--goal is missing: say what you are after');
    const { least, policy } = cutLimitsOf(config.pruner);
    const pruneOptions = { ...optionsOf(options), least, ...policy };
    const bytes = await readBytes(positionals[0], terminal);
    if (!isText(bytes)) return await passOn(bytes, terminal, 'not_text');
    const text = bytes.toString('utf8');
    const [path] = positionals;
    const origin = path === undefined ? { kind: 'other' as const } : { kind: 'file' as const, path };
    // A kind that the caller names has priority over the detected one.
    const named = choiceOf('--type', options.type, SOURCE_TYPES);
    const kind = named === undefined ? kindOfText(origin, text) : { sourceType: named };
    const log = redactedLog(terminal.errors);
    const forgets = config.recovery.store === 'memory';
    const print = { json: options.json, terminal, forgets, price: usdPerMillionTokens(config.audit) };
    try {
      await withServerDeps(config, log, async (parts) => {
        const pruner = await parts.pruner(config.pruner);
        const focus = { question: goal };
        const outcome = await pruner.prune({ text, focus, ...kind, options: pruneOptions });
        recordOutcome(parts.ledger, outcome, { system: 'cli', tool: 'prune', sourceType: kind.sourceType });
        printOutcome(outcome, print);
      });
    } catch (error) {
      // If the store fails, the text is still printed, because a further command may read it through a pipe.
      if (options.json || !(error instanceof DomainError) || !STORE_FAILURES.has(error.code)) throw error;
      terminal.note(`${error.message}${error.hint === undefined ? '' : `; ${error.hint}`}`);
      await passOn(bytes, terminal, 'recovery_unavailable');
    }
  },
});

const STORE_FAILURES = new Set(['store_unavailable', 'store_damaged']);

/** Prints an input that cannot be cut, byte for byte. */
async function passOn(bytes: Buffer, terminal: Terminal, why: string): Promise<undefined> {
  await writeAll(terminal.output, [bytes]);
  terminal.note(`0 lines removed (${why})`);
}

interface Printing {
  readonly json: boolean;
  readonly terminal: Terminal;
  /** Whether the store is deleted when this process ends. Ids are useless then. */
  readonly forgets: boolean;
  /** Price in US dollars per million input tokens. */
  readonly price: number | undefined;
}

function printOutcome(outcome: PruneOutcome, { json, terminal, forgets, price }: Printing): void {
  if (json) {
    terminal.line(JSON.stringify(outcomeShape(outcome, price)));
    return;
  }
  terminal.output.write(outcome.prunedText);
  const { id, stats, warnings } = outcome;
  const said = warnings.length === 0 ? '' : ` (${warnings.join(', ')})`;
  const way = stats.prunedLines === 0 || forgets ? '' : `; secateur recover ${id} START-END`;
  const { prunedLines, originalLines, tokensBefore, tokensAfter } = stats;
  const saved = `${prunedLines} of ${originalLines} lines removed, ~${tokensBefore - tokensAfter} tokens saved`;
  terminal.note(`${saved}${way}${said}`);
}

function optionsOf(given: OptionValues<typeof OPTIONS>): PruneOptions {
  const { ratio = '0.95' } = given;
  const maxPruneRatio = ratio.trim() === '' ? Number.NaN : Number(ratio);
  if (!(maxPruneRatio >= 0 && maxPruneRatio <= 1)) throw usageError('--ratio: expected a number from 0 to 1');
  return {
    maxPruneRatio,
    minKeepLines: wholeNumberOf('--min-keep-lines', given['min-keep-lines'] ?? '0', 0),
    timeoutMs: wholeNumberOf('--timeout-ms', given['timeout-ms'] ?? '10000', 1),
    annotateLines: given['line-numbers'],
    includeMarkers: !given['hide-markers'],
    markers: 'canonical',
    laysOut: true,
    recoverBy: 'secateur recover {id} A-B,C-D',
  };
}

function wholeNumberOf(flag: string, text: string, min: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min) throw usageError(`${flag}: expected a whole number from ${min} up`);
  return value;
}

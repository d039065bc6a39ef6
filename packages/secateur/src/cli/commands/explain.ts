import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { silentLog } from '@secateur/base/runtime/event-log.ts';
import { type LineNumbers, lineNumbers } from '@secateur/base/text/lines.ts';
import { bestOf, type CutText, type RemovedBlock } from '@secateur/engine/cut-note.ts';
import { defineCommand, usageError } from '@secateur/serving/commands/command.ts';
import { type Paint, printable, printableJson } from '@secateur/serving/commands/terminal.ts';
import { cutRecords, LedgerView } from '../../savings/ledger-view.ts';
import { type CutView, viewCut } from '../../servers/dashboard/page-data.ts';
import { type StoresConfig, savingsDirectory } from '../open-stores.ts';
import { withServerDeps } from '../server-deps.ts';

export const explain = defineCommand({
  usage: 'ID [--line N] [--json]',
  details:
    'Shows the reason and the best score of each removed block, and the rule or score that kept each other line. Available as long as the text can be recovered.',
  sections: ['recovery', 'audit'],
  defaults: { recovery: { store: 'embedded' } },
  options: {
    line: { type: 'string', placeholder: 'N', doc: 'only this line' },
    json: { type: 'boolean', doc: 'the response of GET /api/cuts/ID as JSON' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'secateur explain prn_7ZK3…', does: 'why each block was removed and each range of lines kept' },
    { line: 'secateur explain prn_7ZK3… --line 42', does: 'explains one line' },
  ],
  run: async ({ config, options, positionals, terminal }) => {
    const view = await readCut(positionals[0] ?? '', config);
    if (options.json) terminal.line(printableJson(JSON.stringify(view)));
    else if (options.line === undefined) terminal.line(describeCut(view, terminal.paint));
    else terminal.line(describeLine(...lineOf(view, options.line)));
  },
});

function readCut(id: string, config: StoresConfig): Promise<CutView> {
  return withServerDeps(config, silentLog, async ({ notes }) => {
    const ledger = new LedgerView(savingsDirectory(config.recovery));
    await ledger.refresh();
    const view = await viewCut(id, { notes, records: await cutRecords(ledger.entries) });
    if (view !== undefined) return view;
    throw new DomainError('unknown_cut', `neither the ledger nor the store knows ${id}`, {
      hint: 'Ids stand in markers and in `secateur page`; texts expire (MCP_PRUNER_PRUNE_ID_TTL_S).',
    });
  });
}

function lineOf({ text }: CutView, asked: string): [NonNullable<CutView['text']>, number] {
  if (text === null) throw usageError('--line: the text can no longer be recovered');
  const number = /^\d+$/.test(asked) ? Number(asked) : 0;
  const { first, last, linesOf } = numbersOf(text);
  const line = number < 1 ? undefined : linesOf({ start: number, end: number })?.start;
  if (line === undefined) throw usageError(`--line: expected a line from ${first} to ${last}`);
  return [text, line];
}

/** Describes a cut: its figures, each removed block with its reason, and why each kept run was kept. */
export function describeCut({ id, cut, text }: CutView, paint: Paint): string {
  const head = [paint('bold', id), ...(cut === null ? [] : [figuresOf(cut)])];
  return [...head, ...textLines(text, paint)].join('\n');
}

function textLines(text: CutView['text'], paint: Paint): string[] {
  if (text === null) return ['Its text can no longer be recovered; these figures are all that is left.'];
  if (text.focus === null)
    return [`No note of this cut was kept. Its text, ${text.lines.length} lines, can be recovered.`];
  const numbers = numbersOf(text);
  return [
    ...focusLines(text),
    '',
    ...pieces(text).map((piece) => pieceLine(piece, { ...text, numbers }, paint)),
  ];
}

function numbersOf({ lines, numbering }: Pick<CutText, 'lines' | 'numbering'>): LineNumbers {
  return lineNumbers(lines, numbering ?? undefined);
}

/** Describes one line of the text, counted from 1: whether it was kept, and why. */
export function describeLine(text: CutText, number: number): string {
  const block = text.blocks.find(({ start, end }) => start <= number && number <= end);
  const run = text.kept.find(({ start, end }) => start <= number && number <= end);
  const what =
    block === undefined
      ? `kept: ${run?.why ?? NOT_SAID}`
      : `removed: ${shown(block.reason)}${ruleText(block)}`;
  const score = scoreText(text.scores?.[number - 1]);
  return `line ${numbersOf(text).numberOf(number)}  ${what}${score}\n  ${shown(text.lines[number - 1] ?? '')}`;
}

function figuresOf(cut: NonNullable<CutView['cut']>): string {
  const { at, tool, client, tokensBefore, tokensAfter, tokensRecovered, netTokensSaved } = cut;
  const who = client === undefined ? tool : `${tool} for ${client}`;
  return `${at}  ${who}  ${tokensBefore} → ${tokensAfter} tokens, ${tokensRecovered} recovered, net ${netTokensSaved}`;
}

function focusLines({ focus, sourceType, scorer, lines, blocks }: CutText): string[] {
  const removed = blocks.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const how = [sourceType, scorer].filter((each) => each !== null).join(', ');
  return [
    `${removed} of ${lines.length} lines removed${how === '' ? '' : ` (${how})`}`,
    ...(focus === null || focus.question === '' ? [] : [`question  ${shown(focus.question)}`]),
    ...(focus?.task === undefined ? [] : [`task  ${shown(focus.task)}`]),
    ...(focus?.command === undefined ? [] : [`command  ${shown(focus.command)}`]),
  ];
}

interface Piece {
  readonly start: number;
  readonly end: number;
  readonly block: RemovedBlock | undefined;
  readonly why: string;
}

/** Returns the removed blocks and, between them, the kept runs of lines, each with its rule or score. */
function pieces(text: CutText): Piece[] {
  let next = 1;
  const found = text.blocks.flatMap((block): Piece[] => {
    const before = keptRuns(text, next, block.start - 1);
    next = block.end + 1;
    return [...before, { start: block.start, end: block.end, block, why: block.reason }];
  });
  return [...found, ...keptRuns(text, next, text.lines.length)];
}

function keptRuns({ kept }: CutText, first: number, last: number): Piece[] {
  if (last < first) return [];
  const runs = kept.filter(({ start, end }) => start <= last && end >= first);
  const whole = { start: first, end: last, why: NOT_SAID };
  return (runs.length === 0 ? [whole] : runs).map(({ start, end, why }) => ({
    ...{ start: Math.max(start, first), end: Math.min(end, last), block: undefined, why },
  }));
}

const NOT_SAID = 'kept; no note says why';

function pieceLine(
  { start, end, block, why }: Piece,
  { scores, numbers }: Pick<CutText, 'scores'> & { readonly numbers: LineNumbers },
  paint: Paint,
): string {
  const range = `${numbers.numberOf(start)}-${numbers.numberOf(end)}`.padEnd(13);
  const best = block === undefined ? bestOf(scores, { start, end }) : block.best;
  const worth = `${block === undefined ? '' : ruleText(block)}${scoreText(best, 'best ')}`;
  const text = `${block === undefined ? '+' : '−'} ${range} ${shown(why)}${worth}`;
  return block === undefined ? text : paint('red', text);
}

/** Describes a rule by its name in the settings and by a phrase. */
function ruleText({ rule, why }: RemovedBlock): string {
  if (rule === null) return '';
  return why === null ? ` [${shown(rule)}]` : ` [${rule}: ${why.replace(/[.]$/, '')}]`;
}

function scoreText(score: number | null | undefined, word = ''): string {
  return score === null || score === undefined ? '' : `  (${word}score ${score.toFixed(2)})`;
}

const LONGEST = 200;

/** Replaces control characters, which would act on the terminal. A text read by an agent may contain them. */
function shown(text: string): string {
  return printable(text.slice(0, LONGEST));
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fields } from '@secateur/base/text/json-value.ts';
import { lineBlocks } from '@secateur/base/text/lines.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import { isTooSmall } from '@secateur/engine/least-size.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import type { SourceType } from '@secateur/engine/ranking/scorer.ts';
import type { PruneOutcome, PruneRequest } from '@secateur/engine/request.ts';
import { kindOfText, shownFileOf } from '@secateur/engine/text-kind.ts';
import { recordOutcome } from '../record-outcome.ts';
import type { EventReader, OutputEvent } from './client.ts';
import { isExcluded, isOwnOutput } from './excluded.ts';
import { focusOf } from './focus.ts';
import type { EventParts, HookParts } from './hook.ts';
import { type AskedAgain, askedAgain } from './repeated-call.ts';
import type { ShownLimits } from './shown-outputs.ts';
import { entriesBefore, entriesWithCut } from './transcript.ts';
import { holdsMarker } from './written-markers.ts';

/** Returns the client's answer without what the agent does not need; `undefined` if nothing is cut. */
export async function cutOutput(
  event: OutputEvent,
  client: EventReader,
  parts: EventParts,
): Promise<Fields | undefined> {
  const worth = await worthCutting(event.texts, parts);
  const isShort = worth.size === 0;
  if (isOwnOutput(event.call) || (isShort && shownFileOf(event.call.source) === undefined)) return undefined;
  const read = isShort ? entriesWithCut : entriesBefore;
  const entries = await read(event.call, client, parts.files);
  const again = askedAgain(event.call, entries);
  if (again?.recovered !== undefined) noteRecovered({ event, client, again }, parts);
  if (isShort || again !== undefined || isExcluded(event.call, parts.settings)) return undefined;
  const focus = focusOf(event.call, entries, shownLimits(client, parts));
  const pruner = await parts.pruner();
  const cuts: readonly Cut[] = await Promise.all(
    event.texts.map((text) =>
      worth.has(text) ? cutText({ text, focus, event, client, pruner }, parts) : { text },
    ),
  );
  const texts = cuts.map(({ text }) => text);
  if (texts.join('').length > (event.mostChars ?? Number.POSITIVE_INFINITY)) return undefined;
  for (const cut of cuts) note(cut, { event, client }, parts);
  return texts.every((text, index) => text === event.texts[index]) ? undefined : event.replace(texts);
}

const MS_PER_MINUTE = 60_000;

function shownLimits(
  { tellsWhatIsShown }: EventReader,
  { settings, clock }: HookParts,
): ShownLimits | undefined {
  if (tellsWhatIsShown !== true) return undefined;
  const { shownMaxTokens: maxTokens, shownMaxAgeMinutes } = settings;
  return { maxTokens, maxAgeMs: shownMaxAgeMinutes * MS_PER_MINUTE, now: clock.now() };
}

interface Cut {
  readonly text: string;
  readonly outcome?: PruneOutcome;
  readonly sourceType?: SourceType;
}

/** Counts an output that an agent got again because it was cut before: all of it was sent a second time (A19). */
function noteRecovered(
  { event, client, again }: { event: OutputEvent; client: EventReader; again: AskedAgain },
  { ledger }: HookParts,
): void {
  const tokensAfter = event.texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const { by, recovered: pruneId } = again;
  const { tool } = event.call;
  ledger.record({
    ...{ kind: 'recovered', system: 'hook', client: client.name, tool, by, pruneId },
    ...{ tokensBefore: 0, tokensAfter },
  });
}

/** Records what a cut saved in the ledger; logs why a text was returned unchanged. */
function note(
  { outcome, sourceType = 'logs' }: Cut,
  { event, client }: { event: OutputEvent; client: EventReader },
  { ledger, log }: HookParts,
): void {
  if (outcome === undefined) return;
  recordOutcome(ledger, outcome, { system: 'hook', client: client.name, tool: event.call.tool, sourceType });
  if (!outcome.stats.usedFallback) return;
  const [code = 'unknown'] = outcome.warnings;
  log.emit({ level: 'warn', event: 'hook.passed', data: { client: client.name, kind: 'fallback', code } });
}

/** Storing a longer text would take as long as the agent may wait. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Returns the texts that are large enough and were not cut before; the pruner does not change non-text. */
async function worthCutting(texts: readonly string[], { least }: HookParts): Promise<ReadonlySet<string>> {
  const worth = new Set<string>();
  for (const text of texts) {
    if (isTooSmall(text, least) || text.length > MAX_CHARS || worth.has(text)) continue;
    if (!(await isMarked(text))) worth.add(text);
  }
  return worth;
}

async function isMarked(text: string): Promise<boolean> {
  for (const block of lineBlocks(text)) {
    if (holdsMarker(block)) return true;
    if (block.length < text.length) await nextTurn();
  }
  return false;
}

interface TextToCut {
  readonly text: string;
  readonly focus: PruneRequest['focus'];
  readonly event: OutputEvent;
  readonly client: EventReader;
  readonly pruner: Pruner;
}

const MAX_PRUNE_RATIO = 0.95;

/** Each cut output repeats the name of the program; the start of the session says the long one. */
const MAX_PROGRAM_CHARS = 20;

/** Names what recovers lines in this client (A14), for the first line of a cut output. */
function recoveryIn(client: EventReader, { program, settings }: HookParts): string {
  const command = `${program} recover {id} A-B,C-D`;
  const tool = settings.recoverTool ? client.recoverTool : undefined;
  if (tool === undefined) return command;
  const isToolEnough = client.asksAboutCommands === true || program.length > MAX_PROGRAM_CHARS;
  return isToolEnough ? tool : `${tool} or \`${command}\``;
}

async function cutText({ text, focus, event, client, pruner }: TextToCut, parts: HookParts): Promise<Cut> {
  const { settings, least, policy } = parts;
  const { source } = event.call;
  const kind = kindOfText(source, text);
  const options = {
    maxPruneRatio: MAX_PRUNE_RATIO,
    minKeepLines: 0,
    timeoutMs: settings.timeoutMs,
    annotateLines: event.numbered === true,
    includeMarkers: true,
    markers: settings.markers,
    least,
    recoverBy: recoveryIn(client, parts),
    ...(event.firstLine !== undefined && { firstLine: event.firstLine }),
    ...policy,
  };
  const outcome = await pruner.prune(
    { text, focus, ...kind, intent: event.isExplicit === true ? 'explicit' : 'implicit', options },
    parts.signal,
  );
  const shown = outcome.annotations.length === 0 ? text : outcome.prunedText;
  return { text: shown, outcome, sourceType: kind.sourceType };
}

import { relative, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { matcherOf } from '@secateur/base/text/glob.ts';
import type { Fields } from '@secateur/base/text/json.ts';
import { lineBlocks } from '@secateur/base/text/lines.ts';
import { pipelinesOf, withoutPrefix } from '@secateur/base/text/shell-words.ts';
import { estimateTokens } from '@secateur/base/text/token-estimate.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import type { SourceType } from '@secateur/engine/ranking/scorer.ts';
import {
  isTooSmall,
  kindOfText,
  type PruneOutcome,
  type PruneRequest,
  shownFileOf,
} from '@secateur/engine/request.ts';
import { recordOutcome } from '../prune-outcome.ts';
import type { EventReader, OutputEvent, ToolCall } from './client.ts';
import { findRepeatedCut, type RepeatedCut } from './earlier-cuts.ts';
import { focusOf } from './focus.ts';
import type { EventDeps, HookDeps, HookSettings } from './hook.ts';
import { entriesBefore, entriesWithCut } from './transcript.ts';
import { holdsMarker } from './written-markers.ts';

/** Returns the client's answer with cut texts; `undefined` if nothing is cut. */
export async function cutOutput(
  event: OutputEvent,
  client: EventReader,
  parts: EventDeps,
): Promise<Fields | undefined> {
  const worth = await worthCutting(event.texts, parts);
  const isShort = worth.size === 0;
  if (isOwnOutput(event.call) || (isShort && shownFileOf(event.call.source) === undefined)) return undefined;
  const read = isShort ? entriesWithCut : entriesBefore;
  const entries = await read(event.call, client, parts.files);
  const again = findRepeatedCut(event.call, entries);
  if (again !== undefined) noteRecovered(event, again, { ledger: parts.ledger, client: client.name });
  if (isShort || again !== undefined || isExcluded(event.call, parts.settings)) return undefined;
  const focus = focusOf(event.call, entries, shownLimits(client, parts));
  const cutting = { focus, event, client, pruner: await parts.pruner() };
  const cuts: readonly Cut[] = await Promise.all(
    event.texts.map((text) => (worth.has(text) ? cutText(text, cutting, parts) : { text })),
  );
  const texts = cuts.map(({ text }) => text);
  if (texts.join('').length > (event.mostChars ?? Number.POSITIVE_INFINITY)) return undefined;
  for (const cut of cuts) note(cut, { event, client }, parts);
  return texts.every((text, index) => text === event.texts[index]) ? undefined : event.replace(texts);
}

const MS_PER_MINUTE = 60_000;

function shownLimits({ tellsWhatIsShown }: EventReader, { settings, clock }: HookDeps) {
  if (tellsWhatIsShown !== true) return undefined;
  const { shownMaxTokens: maxTokens, shownMaxAgeMinutes } = settings;
  return { maxTokens, maxAgeMs: shownMaxAgeMinutes * MS_PER_MINUTE, now: clock.now() };
}

interface Cut {
  readonly text: string;
  readonly outcome?: PruneOutcome;
  readonly sourceType?: SourceType;
}

/** Records that an output is shown again in full after it had been cut (A19). */
function noteRecovered(
  { texts, call: { tool } }: OutputEvent,
  { by, recovered: pruneId }: RepeatedCut,
  { ledger, client }: { ledger: HookDeps['ledger']; client: string },
): void {
  if (pruneId === undefined) return;
  const tokensAfter = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const entry = { kind: 'recovered', system: 'hook', client, tool, by, pruneId } as const;
  ledger.record({ ...entry, tokensBefore: 0, tokensAfter });
}

/** Records the savings of a cut in the ledger, and logs why a text was returned unchanged. */
function note(
  { outcome, sourceType = 'logs' }: Cut,
  { event, client }: { event: OutputEvent; client: EventReader },
  { ledger, log }: HookDeps,
): void {
  if (outcome === undefined) return;
  recordOutcome(ledger, outcome, { system: 'hook', client: client.name, tool: event.call.tool, sourceType });
  if (!outcome.stats.usedFallback) return;
  const [code = 'unknown'] = outcome.warnings;
  log.emit({ level: 'warn', event: 'hook.passed', data: { client: client.name, kind: 'fallback', code } });
}

/** Maximum characters of a text. Storing a longer one would take longer than the agent may wait. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Returns the texts that are large enough and have not been cut. The pruner leaves binary data unchanged. */
async function worthCutting(texts: readonly string[], { least }: HookDeps): Promise<ReadonlySet<string>> {
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

interface Cutting {
  readonly focus: PruneRequest['focus'];
  readonly event: OutputEvent;
  readonly client: EventReader;
  readonly pruner: Pruner;
}

const MAX_PRUNE_RATIO = 0.95;

/** Maximum characters of the program's name in a cut output. A longer path is shown only at the start of a session. */
const MAX_PROGRAM_CHARS = 20;

/** Returns how to recover lines in this client (A14). The first line of a cut output contains it. */
function recoveryIn(client: EventReader, { program, settings }: HookDeps): string {
  const command = `${program} recover {id} A-B,C-D`;
  const tool = settings.recoverTool ? client.recoverTool : undefined;
  if (tool === undefined) return command;
  const isToolEnough = client.asksAboutCommands === true || program.length > MAX_PROGRAM_CHARS;
  return isToolEnough ? tool : `${tool} or \`${command}\``;
}

async function cutText(
  text: string,
  { focus, event, client, pruner }: Cutting,
  parts: HookDeps,
): Promise<Cut> {
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

/** Matches the names of Sécateur's tools, whatever a client or plugin calls the server. */
const OWN_TOOL = /^(?:mcp__)?(?:plugin_)?secateur[-_]|(?:^|[-_])(?:recover_text|recover_range|prune_text)$/;
const OWN_COMMAND = /\bsecateur(?:\.js)?['"]?\s+(?:recover|prune|run)\b/;
const RAW_COMMAND = /\bsecateur(?:\.js)?['"]?\s+raw\b/;

/** Whether an output comes from Sécateur. It has already been cut, or was recovered and has its own ledger entry. */
export function isOwnOutput({ tool, source }: Pick<ToolCall, 'tool' | 'source'>): boolean {
  return OWN_TOOL.test(tool) || (source.kind === 'command' && OWN_COMMAND.test(source.command));
}

/** Whether a call must not be cut: it uses `secateur raw`, or the settings exclude the call or its file. */
function isExcluded(
  call: ToolCall,
  { exclude, excludeCommands }: Pick<HookSettings, 'exclude' | 'excludeCommands'>,
): boolean {
  const { source, path } = call;
  if (source.kind === 'command' && RAW_COMMAND.test(source.command)) return true;
  if (exclude.length + excludeCommands.length === 0) return false;
  const programs = source.kind === 'command' ? pipelinesOf(source.command).flat() : [];
  const lines = programs.map((words) => withoutPrefix(words).join(' '));
  if (excludeCommands.some((pattern) => lines.some((line) => beginsLike(line, pattern)))) return true;
  const named = [source.kind === 'file' ? source.path : undefined, path, ...programs.flat().flatMap(pathsIn)];
  return named.some((each) => each !== undefined && matchesAnyGlob(each, exclude, call));
}

/** Returns the paths that a word of a command may contain: `a.sql` in `--schema=a.sql` and in `HEAD:a.sql`. */
function pathsIn(word: string): string[] {
  return word.split(/[=:]/).filter((part) => part !== '' && !part.startsWith('-'));
}

/** Whether a command begins with a pattern such as `terraform * plan`. `*` matches any text. */
function beginsLike(command: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.trim().split('*');
  if (!command.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const found = command.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  // The match must end at the end of a word: `npm test` does not match `npm test-all`.
  return pattern.endsWith('*') || at === command.length || command.charAt(at) === ' ';
}

/** Whether a glob matches the path of a file, absolute or relative to the working directory. */
export function matchesAnyGlob(
  path: string,
  globs: readonly string[],
  { cwd }: Pick<ToolCall, 'cwd'>,
): boolean {
  const whole = path.startsWith('/') ? path.slice(1) : path;
  return globs.some((glob) => {
    const matches = matcherOf(glob);
    return matches(whole) || (cwd !== undefined && matches(relative(cwd, resolve(cwd, path))));
  });
}

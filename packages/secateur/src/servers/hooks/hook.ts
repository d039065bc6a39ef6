import type { EventLog } from '@secateur/base/runtime/event-log.ts';
import { type Deadline, withTimeout } from '@secateur/base/runtime/time.ts';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import type { CutPolicy, LeastSize } from '@secateur/engine/request.ts';
import { switchedOff } from '@secateur/serving/config/off-switch.ts';
import type { Config } from '@secateur/serving/config/settings.ts';
import type { CommonDeps } from '../prune-outcome.ts';
import { type EventReader, NO_CHANGE, textAt, type WriteEvent } from './client.ts';
import { cutOutput, matchesAnyGlob } from './cut-output.ts';
import {
  type ClientHome,
  type EventFiles,
  eventFiles,
  type FileAccess,
  type TranscriptMemory,
} from './transcript.ts';
import { reasonToRefuse } from './write-guard.ts';

/** Settings of the section `[hook]` that change an answer. */
export type HookSettings = Omit<Config['hook'], 'log'>;

export interface HookDeps extends Pick<CommonDeps, 'ledger' | 'clock' | 'log'> {
  /** Opens the engine and the store. Called only if an output can be cut, which is rare. */
  pruner(): Promise<Pruner>;
  readonly settings: HookSettings;
  /** Minimum sizes and savings. A smaller cut costs more than it saves, because of its marker. */
  readonly least: LeastSize;
  /** Limits of what may be cut. Default: the policy of the engine. */
  readonly policy?: CutPolicy | undefined;
  /** Aborts when the caller has disconnected and no longer needs the cut. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline; set if a part of the configured time has already passed. Default: the full time from now. */
  readonly until?: Deadline | undefined;
  /** Name with which the agent's shell starts this program. */
  readonly program: string;
  /** The files named in an event that may be opened. */
  readonly access: FileAccess;
  readonly home: ClientHome;
  /** Transcripts that a server has read for earlier events; absent in a process that answers one event. */
  readonly memory?: TranscriptMemory | undefined;
  /** One sentence per wrong or ignored setting in the user's own files. */
  readonly faults?: readonly string[] | undefined;
}

/** The dependencies for one event, and the files that the event may open. */
export interface EventDeps extends HookDeps {
  readonly files: EventFiles;
}

/**
 * Answers one event of a client. Never throws and never blocks the agent. If an event is malformed, fails or
 * takes too long, the answer changes nothing and the reason is logged.
 */
export async function answerEvent(client: EventReader, event: unknown, parts: HookDeps): Promise<Fields> {
  try {
    if (!parts.settings.enabled) return NO_CHANGE;
    if (!isFields(event)) throw new TypeError('the event is no JSON object');
    if (switchedOff(parts.home, textAt(event, 'cwd')) !== undefined) return NO_CHANGE;
    const limitMs = parts.until?.remainingMs() ?? parts.settings.timeoutMs;
    return await withTimeout(answer(client, event, parts), limitMs);
  } catch (error) {
    reportFailure(client, error, parts.log);
    return NO_CHANGE;
  }
}

async function answer(client: EventReader, fields: Fields, parts: HookDeps): Promise<Fields> {
  const folders = client.folders?.(parts.home) ?? { transcripts: [] };
  const files = eventFiles(folders, parts);
  const event = await client.read(fields, files);
  if (event === undefined) return NO_CHANGE;
  if (event.kind === 'output') return (await cutOutput(event, client, { ...parts, files })) ?? NO_CHANGE;
  if (event.kind === 'write') return guardWrite(event, client, { ...parts, files });
  const { userNote } = client;
  return { ...(userNote && { systemMessage: userNote }), ...event.tell(explanation(client, parts)) };
}

async function guardWrite(
  event: WriteEvent,
  client: EventReader,
  { settings, program, files }: EventDeps,
): Promise<Fields> {
  if (!settings.writeGuard) return NO_CHANGE;
  const { path, call } = event;
  // A shell command names no file, so markers are never allowed in it.
  const allowsMarkers = path !== undefined && matchesAnyGlob(path, settings.markersAllowedIn, call);
  const reason = await reasonToRefuse(event, client, { program, files, allowsMarkers });
  return reason === undefined ? NO_CHANGE : event.refuse(reason);
}

/** Returns what the agent learns once: the format of markers, recovery, wrong settings (A18). */
function explanation(client: EventReader, { program, settings, faults = [], log }: HookDeps): string {
  const command = `run \`${program} recover prn_… 36-47\``;
  const tool = 'call recover_text with that prune_id and the line numbers';
  const hasTool = client.recoverTool !== undefined && settings.recoverTool;
  const isToolEnough = hasTool && client.asksAboutCommands === true;
  const ways = [...(hasTool ? [tool] : []), ...(isToolEnough ? [] : [command])].join(', or ');
  const note = client.sessionNote === undefined ? '' : ` (${client.sessionNote})`;
  const [first] = faults;
  if (first !== undefined)
    log.emit({ level: 'warn', event: 'settings.wrong', data: { client: client.name, faults } });
  return [
    `Long tool outputs may come with the lines left out that do not help your task: ${MARKER_FORMS[settings.markers]}${note}.`,
    `To get lines back ${ways}; never write such a marker into a file.`,
    ...(first === undefined ? [] : [wrongSettings(first, faults.length)]),
  ].join(' ');
}

const MARKER_FORMS = {
  compact: 'a first line `✂ prn_…: …` names the output, and each `✂ 36-47` stands for its lines 36 to 47',
  canonical:
    'each `⟦PRUNÉ: prune_id=prn_… lignes 36-47 …⟧` stands for lines 36 to 47 of the output with this prune_id',
} as const;

/** Returns one line about wrong settings, which the agent shows the user. */
export function wrongSettings(first: string, count: number): string {
  const more = count === 1 ? '' : ` (and ${count - 1} more)`;
  return `\nTell the user once: a setting of secateur is wrong, ${first}${more}; \`secateur doctor\` lists them.`;
}

/** Logs the class of a failure, without its message: a message may contain text that the agent read. */
function reportFailure({ name }: EventReader, error: unknown, log: EventLog): void {
  const kind = error instanceof Error ? named(error.name) : typeof error;
  const code = isFields(error) && typeof error.code === 'string' ? named(error.code) : undefined;
  log.emit({ level: 'warn', event: 'hook.passed', data: { client: name, kind, ...(code && { code }) } });
}

/** Returns the name or code, or `other` if it has an unusual form and might be a secret. */
function named(word: string): string {
  return /^[A-Za-z_]{1,40}$/.test(word) ? word : 'other';
}

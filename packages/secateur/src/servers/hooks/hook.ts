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

/** Settings in the section `[hook]` that affect answers. */
export type HookSettings = Omit<Config['hook'], 'log'>;

export interface HookDeps extends Pick<CommonDeps, 'ledger' | 'clock' | 'log'> {
  /** Opens the engine and the store. Called only if an output may be cut, which is rare. */
  pruner(): Promise<Pruner>;
  readonly settings: HookSettings;
  /** Minimum sizes and savings. A smaller cut would save less than its marker costs. */
  readonly least: LeastSize;
  /** Limits of what may be cut. Default: the policy of the engine. */
  readonly policy?: CutPolicy | undefined;
  /** Aborts if the caller has disconnected and does not need the cut any more. */
  readonly signal?: AbortSignal | undefined;
  /** Deadline. Set if part of the configured time has passed. Default: the whole time, from now on. */
  readonly until?: Deadline | undefined;
  /** Name by which the agent's shell starts this program. */
  readonly program: string;
  /** Files named in an event that may be opened. */
  readonly access: FileAccess;
  readonly home: ClientHome;
  /** Transcripts that a server has read for earlier events. Absent in a process that answers a single event. */
  readonly memory?: TranscriptMemory | undefined;
  /** One sentence per wrong or ignored setting in the user's own files. */
  readonly faults?: readonly string[] | undefined;
}

/** Dependencies for one event, with the files that it may open. */
export interface EventDeps extends HookDeps {
  readonly files: EventFiles;
}

/**
 * Answers one event of a client. Never throws and never blocks the agent: if the event is malformed, fails or
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

async function guardWrite(event: WriteEvent, client: EventReader, { settings, program, files }: EventDeps) {
  if (!settings.writeGuard) return NO_CHANGE;
  const { path, call } = event;
  // A shell command names no file in which markers could be allowed.
  const allowsMarkers = path !== undefined && matchesAnyGlob(path, settings.markersAllowedIn, call);
  const reason = await reasonToRefuse(event, client, { program, files, allowsMarkers });
  return reason === undefined ? NO_CHANGE : event.refuse(reason);
}

/** Returns the text that the agent gets once: the format of markers, how to recover lines, wrong settings (A18). */
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

/** Returns a line about wrong settings, which the agent is to show the user. */
export function wrongSettings(first: string, count: number): string {
  const more = count === 1 ? '' : ` (and ${count - 1} more)`;
  return `\nTell the user once: a setting of secateur is wrong, ${first}${more}; \`secateur doctor\` lists them.`;
}

/** Logs the class of a failure without its message, which may contain text that the agent read. */
function reportFailure({ name }: EventReader, error: unknown, log: EventLog): void {
  const kind = error instanceof Error ? named(error.name) : typeof error;
  const code = isFields(error) && typeof error.code === 'string' ? named(error.code) : undefined;
  log.emit({ level: 'warn', event: 'hook.passed', data: { client: name, kind, ...(code && { code }) } });
}

/** Returns a name or code. If its form is unusual, it may be a secret, and `other` is returned. */
function named(word: string): string {
  return /^[A-Za-z_]{1,40}$/.test(word) ? word : 'other';
}

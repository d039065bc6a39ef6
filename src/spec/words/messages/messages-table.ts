import type { FileNote } from '../../prepare/notes.ts';

/** What each failure of reverse-spec knows; the text is made of it where it is shown. */
export interface FailureData {
  invalid_arguments: { list: string };
  internal: { message: string };
  target_not_found: { path: string; why: 'missing' | 'denied' | 'too-long'; length: number };
  not_a_source: { path: string };
  not_a_folder: { path: string };
  no_files: { path: string };
  file_too_large: { bytes: number; maxBytes: number };
  ast_failed: Record<never, never>;
  invalid_cursor: { cursor: string };
  cursor_outdated: Record<never, never>;
  no_api_key: Record<never, never>;
  no_price: Record<never, never>;
  output_unwritable: { path: string };
  spec_not_found: { path: string };
  baseline_missing: { path: string };
  baseline_damaged: { path: string; damage: BaselineDamage };
  not_in_baseline: { path: string };
  no_specs: { path: string };
  bad_rules: { file: string; line: number; text: string; rules: string };
  llm_failed: ModelFailure;
}

export type BaselineDamage = 'open-comment' | 'format' | 'checksum' | 'structure' | 'encoding';

export interface ModelFailure {
  service: 'anthropic' | 'other';
  reason: ModelReason;
  /** Missing when no answer came. */
  status?: number;
  /** What the service said about a request it could not use. */
  said?: string;
  /** Every other call would fail the same way. */
  fatal: boolean;
}

export type ModelReason =
  | 'bad-request'
  | 'unauthorised'
  | 'no-credit'
  | 'forbidden'
  | 'not-found'
  | 'timeout'
  | 'too-large'
  | 'rate-limit'
  | 'server-error'
  | 'internal-error'
  | 'unavailable'
  | 'gateway-timeout'
  | 'overloaded'
  | 'refused'
  | 'cancelled'
  | 'unreachable'
  | 'strange-answer';

export interface FailureText {
  message: string;
  hint?: string;
}

export type FailureTexts = {
  readonly [Code in keyof FailureData]: (data: FailureData[Code]) => FailureText;
};

/** Everything reverse-spec says that is no document, in one language. */
export interface Messages {
  /** `detail` of a failed tool, as the protocol shows it. */
  toolFailed(tool: string, detail: string): string;
  failures: FailureTexts;
  stages: Readonly<Record<'scan' | 'parse' | 'context' | 'render', string>> & {
    write(model: string): string;
  };
  warnings: WarningTexts;
  note(note: FileNote): string;
  drift: DriftTexts;
  /** One line about what `prepare` found. */
  prepared(counts: { files: number; unread: number; exports: number; tokens: number; cut: string }): string;
  /** What `check` found; `partly`: files that could not be read whole. */
  checked(counts: Record<'specs' | 'high' | 'medium' | 'low' | 'filtered' | 'partly', number>): string;
}

export interface WarningTexts {
  brokenFiles(count: number): string;
  unparsedFiles(count: number): string;
  contextCut(parts: string): string;
  contextSplit(calls: number): string;
  answerCut: string;
  answerPartial: string;
  answerRefused: string;
  answerUnreadable: string;
  writtenFromTree(cause: string, sections: string): string;
}

export interface DriftTexts {
  removed(what: string): string;
  removedUpdate(name: string): string;
  added(what: string): string;
  addedUpdate(name: string): string;
  renamed(what: string, to: string): string;
  renamedUpdate(from: string, to: string): string;
  moved(what: string, from: string, to: string): string;
  movedUpdate(name: string, to: string): string;
  changed(what: string, aspect: 'type' | 'signature'): string;
  changedUpdate(name: string, aspect: 'type' | 'signature'): string;
  alsoMoved(from: string, to: string): string;
  advice: Readonly<Record<'high' | 'medium' | 'low', (count: number) => string>> & { none: string };
  doubt(files: number): string;
  filtered(count: number): string;
  report: DriftReportTexts;
}

/** Headings of the Markdown report. */
export interface DriftReportTexts {
  title: string;
  severities: Readonly<Record<'HIGH' | 'MEDIUM' | 'LOW', string>>;
  columns: readonly [string, string];
  rows: Readonly<Record<'version' | 'source' | 'time' | 'total' | 'kinds' | 'noise', string>>;
  advice(text: string): string;
  before: string;
  now: string;
  update(text: string): string;
}

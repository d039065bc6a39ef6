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

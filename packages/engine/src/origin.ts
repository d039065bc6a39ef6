/**
 * Source of a text, as far as its sender knows. Commands and paths are read for their words, never run or
 * opened.
 */
export type Origin =
  | { readonly kind: 'command'; readonly command: string }
  /** `isPart`: the caller asked for some of its lines by number. */
  | { readonly kind: 'file'; readonly path: string; readonly isPart?: boolean | undefined }
  | { readonly kind: 'search'; readonly pattern: string }
  /** A fetched page or document. */
  | { readonly kind: 'page' }
  /** Report of a subagent. */
  | { readonly kind: 'report' }
  /** Result of a tool of an MCP server. */
  | { readonly kind: 'result' }
  | { readonly kind: 'other' };

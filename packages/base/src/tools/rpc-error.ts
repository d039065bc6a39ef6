/** An error that travels as JSON-RPC. Domain code throws `DomainError`; only the wire and the servers know these numbers. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>> | undefined;

  constructor(code: number, message: string, data?: Record<string, unknown>) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** The server holds too much already; the same call may succeed in a moment. */
export const OVERLOADED = -32009;
export const INTERNAL_ERROR = -32603;
/** Codes of MCP itself. */
export const SESSION_NOT_FOUND = -32001;
export const HEADER_MISMATCH = -32020;
export const MISSING_CAPABILITY = -32021;
export const UNSUPPORTED_VERSION = -32022;
/** The client took the request back; only a carrier that owes some answer shows it. */
export const REQUEST_CANCELLED = -32800;

export interface FieldError {
  field: string;
  message: string;
}

export function invalidParams(fieldErrors: FieldError[]): RpcError {
  const summary = fieldErrors.map(({ field, message }) => `${field}: ${message}`).join('; ');
  return new RpcError(INVALID_PARAMS, `Invalid params: ${summary}`, { field_errors: fieldErrors });
}

export const HTTP_LIMITS = {
  maxBodyBytes: 16 * 1024 * 1024,
  /** Time in ms that running calls have to finish when a host is closed. */
  closeGraceMs: 2000,
  writeTimeoutMs: 30_000,
  maxCalls: 128,
  maxClientCalls: 64,
  maxHeldBytes: 128 * 1024 * 1024,
} as const;

export const HTTP_LIMITS = {
  maxBodyBytes: 16 * 1024 * 1024,
  /** Running calls get so long to finish when a host is closed. */
  closeGraceMs: 2000,
  writeTimeoutMs: 30_000,
  maxCalls: 128,
  maxClientCalls: 64,
  maxHeldBytes: 128 * 1024 * 1024,
} as const;

/** The revisions our own dispatcher answers, oldest first. */
export const LEGACY_VERSIONS: readonly string[] = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];

/** The first revision without a handshake; it and everything newer go to the SDK. */
const FIRST_MODERN_VERSION = '2026-07-28';

const NEWEST_LEGACY = '2025-11-25';
const DATED = /^\d{4}-\d{2}-\d{2}$/;

export function negotiatedVersion(asked: string): string {
  return LEGACY_VERSIONS.includes(asked) ? asked : NEWEST_LEGACY;
}

export function isModernVersion(version: unknown): boolean {
  return typeof version === 'string' && DATED.test(version) && version >= FIRST_MODERN_VERSION;
}

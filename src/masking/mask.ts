import { maskDeep } from './mask/mask-deep.ts';
import { DEFAULT_LIMITS, type MaskingLimits, maskText } from './mask-text.ts';

/**
 * The same JSON value with every over-long string, at any depth, cut to its head and tail around a marker.
 * Pure: the input is not changed, and whatever needs no cut is shared with it, not copied.
 */
export function applyObservationMasking<Payload>(payload: Payload, limits?: MaskingLimits): Payload;
export function applyObservationMasking(payload: unknown, limits = DEFAULT_LIMITS): unknown {
  if (limits.maxChars <= 0) return payload;
  return maskValue(payload, limits, 0);
}

/** Far below what fills the stack, far above what people nest. */
const MAX_RECURSION = 500;

function maskValue(value: unknown, limits: MaskingLimits, depth: number): unknown {
  if (typeof value === 'string') return maskText(value, limits);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_RECURSION) return maskDeep(value, limits);
  return Array.isArray(value) ? maskItems(value, limits, depth) : maskMembers(value, limits, depth);
}

/** Most values of most answers are short: both loops pass over them without going down. */
function mayChange(value: unknown, maxChars: number): boolean {
  return typeof value === 'string' ? value.length > maxChars : typeof value === 'object' && value !== null;
}

function maskItems(items: readonly unknown[], limits: MaskingLimits, depth: number): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const value = items[at];
    if (!mayChange(value, limits.maxChars)) continue;
    const masked = maskValue(value, limits, depth + 1);
    if (masked === value) continue;
    copy ??= items.slice();
    copy[at] = masked;
  }
  return copy ?? items;
}

function maskMembers(members: object, limits: MaskingLimits, depth: number): object {
  let copy: Record<string, unknown> | undefined;
  // Twice as fast as `Object.entries`, which makes a list of lists of every object.
  for (const key in members) {
    const value = (members as Record<string, unknown>)[key];
    if (!mayChange(value, limits.maxChars)) continue;
    const masked = maskValue(value, limits, depth + 1);
    if (masked === value || !Object.hasOwn(members, key)) continue;
    // Spreading first makes even a key named `__proto__` an own property, so that this only ever replaces a value.
    copy ??= { ...members };
    copy[key] = masked;
  }
  return copy ?? members;
}

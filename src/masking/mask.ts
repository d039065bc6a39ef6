import { DEFAULT_LIMITS, type MaskingLimits, maskText } from './mask-text.ts';

/**
 * The same JSON value with every over-long string, at any depth, cut to its head and tail around a marker.
 * Pure: the input is not changed, and whatever needs no cut is shared with it, not copied.
 */
export function applyObservationMasking<Payload>(payload: Payload, limits?: MaskingLimits): Payload;
export function applyObservationMasking(payload: unknown, limits = DEFAULT_LIMITS): unknown {
  if (limits.maxChars <= 0) return payload;
  return maskValue(payload, limits);
}

function maskValue(value: unknown, limits: MaskingLimits): unknown {
  if (typeof value === 'string') return maskText(value, limits);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? maskItems(value, limits) : maskMembers(value, limits);
}

function maskItems(items: readonly unknown[], limits: MaskingLimits): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < items.length; at += 1) {
    const masked = maskValue(items[at], limits);
    if (masked === items[at]) continue;
    copy ??= items.slice();
    copy[at] = masked;
  }
  return copy ?? items;
}

function maskMembers(members: object, limits: MaskingLimits): object {
  let copy: Record<string, unknown> | undefined;
  for (const [key, value] of Object.entries(members)) {
    const masked = maskValue(value, limits);
    if (masked === value) continue;
    // Spreading first makes even a key named `__proto__` an own property, so that this only ever replaces a value.
    copy ??= { ...members };
    copy[key] = masked;
  }
  return copy ?? members;
}

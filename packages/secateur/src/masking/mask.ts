import { DEFAULT_LIMITS, type MaskingLimits, maskText } from './mask-text.ts';

/**
 * Returns the same JSON value with every over-long string, at any depth, cut to its head and tail around a marker.
 * Does not change its input; parts that need no cut are shared with it, not copied. Limits that `policy` does not name
 * are the default ones.
 */
export function applyObservationMasking<Payload>(payload: Payload, policy?: Partial<MaskingLimits>): Payload;
export function applyObservationMasking(payload: unknown, policy: Partial<MaskingLimits> = {}): unknown {
  const limits = { ...DEFAULT_LIMITS, ...policy };
  const top = open([payload], undefined);
  // Frames of our own: JSON may be nested deeper than calls can be.
  let frame: Frame | undefined = top;
  while (frame !== undefined) {
    const inner = maskUpToContainer(frame, limits);
    frame = inner === undefined ? close(frame) : open(inner, frame);
  }
  return (top.copy ?? top.source)[0];
}

type Container = Record<string | number, unknown>;

/** A list or an object on the way down, and its copy as soon as something in it changed. */
interface Frame {
  readonly parent: Frame | undefined;
  readonly source: Container;
  /** Keys of an object; a list is read by index. */
  readonly keys: readonly string[] | undefined;
  readonly size: number;
  at: number;
  copy: Container | undefined;
}

function open(source: object, parent: Frame | undefined): Frame {
  const keys = Array.isArray(source) ? undefined : Object.keys(source);
  const { length: size } = keys ?? (source as unknown[]);
  return { parent, source: source as Container, keys, size, at: 0, copy: undefined };
}

/** Masks the strings of a list or object as far as the next list or object in it, which comes first. */
function maskUpToContainer(frame: Frame, limits: MaskingLimits): object | undefined {
  for (; frame.at < frame.size; frame.at += 1) {
    const value = frame.source[keyOf(frame)];
    if (typeof value === 'object' && value !== null) return value;
    if (typeof value === 'string' && value.length > limits.maxChars) put(frame, maskText(value, limits));
  }
  return undefined;
}

function close({ parent, copy }: Frame): Frame | undefined {
  if (parent === undefined) return undefined;
  if (copy !== undefined) put(parent, copy);
  parent.at += 1;
  return parent;
}

function put(frame: Frame, value: unknown): void {
  const key = keyOf(frame);
  if (value === frame.source[key]) return;
  // Spreading makes even a key named `__proto__` an own property, so that this only ever replaces a value.
  frame.copy ??= Array.isArray(frame.source)
    ? (frame.source.slice() as unknown as Container)
    : { ...frame.source };
  frame.copy[key] = value;
}

function keyOf({ keys, at }: Frame): string | number {
  return keys === undefined ? at : (keys[at] as string);
}

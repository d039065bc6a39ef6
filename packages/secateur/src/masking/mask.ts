import { DEFAULT_LIMITS, type MaskingLimits, maskText } from './mask-text.ts';

/**
 * Returns a copy of a JSON value in which every long string, at any depth, is cut to its head and tail around
 * a marker. Does not change its input; parts without a cut are shared with it. `policy` overrides the default
 * limits.
 */
export function applyObservationMasking<Payload>(payload: Payload, policy?: Partial<MaskingLimits>): Payload;
export function applyObservationMasking(payload: unknown, policy: Partial<MaskingLimits> = {}): unknown {
  const limits = { ...DEFAULT_LIMITS, ...policy };
  const top = open([payload], undefined);
  // Uses an explicit stack: JSON may be nested deeper than function calls can be.
  let frame: Frame | undefined = top;
  while (frame !== undefined) {
    const inner = maskUpToContainer(frame, limits);
    frame = inner === undefined ? close(frame) : open(inner, frame);
  }
  return (top.copy ?? top.source)[0];
}

type Container = Record<string | number, unknown>;

/** A list or object on the path to the current value, and its copy once something in it has changed. */
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

/**
 * Masks the strings of a list or object up to the next list or object in it, and returns that one to be
 * masked first.
 */
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
  // Spreading makes even a key named `__proto__` an own property, so that the assignment below only replaces
  // a value.
  frame.copy ??= Array.isArray(frame.source)
    ? (frame.source.slice() as unknown as Container)
    : { ...frame.source };
  frame.copy[key] = value;
}

function keyOf({ keys, at }: Frame): string | number {
  return keys === undefined ? at : (keys[at] as string);
}

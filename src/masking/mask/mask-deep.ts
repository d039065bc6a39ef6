import { type MaskingLimits, maskText } from '../mask-text.ts';

type Container = Record<string, unknown>;

/** A list or an object on the way down, and its copy as soon as something in it changed. */
interface Frame {
  readonly source: Container;
  readonly keys: readonly string[];
  next: number;
  copy: Container | undefined;
}

/** Masks what is nested too deep for recursion, with a stack of its own. */
export function maskDeep(root: object, limits: MaskingLimits): unknown {
  const top = open({ root });
  const frames = [top];
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    const key = frame.keys[frame.next];
    if (key === undefined) close(frames);
    else step(frame, frame.source[key], { frames, limits });
  }
  return (top.copy ?? top.source).root;
}

function close(frames: Frame[]): void {
  const done = frames.pop() as Frame;
  const parent = frames.at(-1);
  if (parent !== undefined) put(parent, done.copy ?? done.source);
}

function step(frame: Frame, value: unknown, deep: { frames: Frame[]; limits: MaskingLimits }): void {
  if (typeof value === 'object' && value !== null) deep.frames.push(open(value));
  else put(frame, typeof value === 'string' ? maskText(value, deep.limits) : value);
}

function open(source: object): Frame {
  return { source: source as Container, keys: Object.keys(source), next: 0, copy: undefined };
}

function put(frame: Frame, value: unknown): void {
  const key = frame.keys[frame.next] as string;
  frame.next += 1;
  if (value === frame.source[key]) return;
  frame.copy ??= copied(frame.source);
  frame.copy[key] = value;
}

function copied(source: Container): Container {
  return Array.isArray(source) ? (source.slice() as unknown as Container) : { ...source };
}

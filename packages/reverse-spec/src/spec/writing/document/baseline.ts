import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { SpecFacts, TargetScope } from '../../reading/facts.ts';
import type { SkeletonExport } from '../../reading/skeleton.ts';
import type { BaselineDamage } from '../../words/messages/zh.ts';
import type { Claim } from '../claims.ts';

/** Skeletons as they were when the spec was written; `diff` compares the source with them. */
export interface Baseline {
  scope: TargetScope;
  /** Folders below the target that have documents of their own, relative to it. */
  without?: string[];
  files: BaselineFile[];
  /** A model's sentences, with their lines. */
  claims?: Claim[];
}

export interface BaselineFile {
  /** Below the target; the file's own name when the target is a file. */
  path: string;
  language: string;
  contentHash: string;
  exports: SkeletonExport[];
  /** Modules in the order of the source. */
  imports: string[];
}

export type BaselineReading =
  | { kind: 'read'; baseline: Baseline }
  | { kind: 'missing' }
  | { kind: 'damaged'; damage: BaselineDamage };

const FORMAT = 1;
const OPENER = 'reverse-spec:baseline';
const LINE = /.{1,120}/g;
/** Far above any real skeleton; keeps a forged document from filling the memory. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Compressed base64 in an HTML comment: no text of the source can end the comment or be mistaken for it. */
export function renderBaseline(baseline: Baseline): string {
  const json = JSON.stringify(baseline);
  const checksum = createHash('sha256').update(json).digest('hex');
  const packed = deflateRawSync(json, { level: 9 }).toString('base64');
  const lines = packed.match(LINE) ?? [];
  return [`<!-- ${OPENER} format=${FORMAT} sha256=${checksum}`, ...lines, '-->'].join('\n');
}

export function baselineOf({
  target,
  scope,
  without = [],
  files,
}: Pick<SpecFacts, 'target' | 'scope' | 'without' | 'files'>): Baseline {
  return {
    scope,
    ...(without.length > 0 && { without: without.map((path) => pathBelow(target, path)) }),
    files: files.map(({ skeleton, contentHash }) => ({
      path: pathBelow(target, skeleton.filePath),
      language: skeleton.language,
      contentHash,
      exports: skeleton.exports,
      imports: skeleton.imports.map(({ module, names }) => `${module}#${[...names].sort().join(',')}`),
    })),
  };
}

function pathBelow(target: string, filePath: string): string {
  if (filePath === target) return filePath.slice(filePath.lastIndexOf('/') + 1);
  if (target === '.') return filePath;
  return filePath.startsWith(`${target}/`) ? filePath.slice(target.length + 1) : filePath;
}

/** Reads the last block: ours is at the end, whatever the sections before it quote. */
export function readEmbeddedBaseline(document: string): BaselineReading {
  const start = document.lastIndexOf(`<!-- ${OPENER}`);
  if (start === -1) return { kind: 'missing' };
  const end = document.indexOf('-->', start);
  if (end === -1) return { kind: 'damaged', damage: 'open-comment' };
  const [head = '', ...lines] = document.slice(start, end).split(/\r?\n/);
  const [, format, checksum] = /format=(\d+) sha256=([0-9a-f]{64})/.exec(head) ?? [];
  if (format !== String(FORMAT) || checksum === undefined) return { kind: 'damaged', damage: 'format' };
  return unpack(lines.join('').trim(), checksum);
}

function unpack(packed: string, checksum: string): BaselineReading {
  try {
    const json = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_BYTES });
    const seen = createHash('sha256').update(json).digest('hex');
    if (seen !== checksum) return { kind: 'damaged', damage: 'checksum' };
    const baseline: unknown = JSON.parse(json.toString('utf8'));
    return isBaseline(baseline) ? { kind: 'read', baseline } : { kind: 'damaged', damage: 'structure' };
  } catch {
    return { kind: 'damaged', damage: 'encoding' };
  }
}

type Unproven<Value> = { [Key in keyof Value]?: unknown } | null | undefined;

/** The checksum shows that it is whole, not that we wrote it. */
export function isBaseline(value: unknown): value is Baseline {
  const { scope, files } = (value as Unproven<Baseline>) ?? {};
  return typeof scope === 'string' && Array.isArray(files) && files.every(isFile);
}

function isFile(value: Unproven<BaselineFile>): boolean {
  const { path, language, exports, imports } = value ?? {};
  if (typeof path !== 'string' || typeof language !== 'string') return false;
  return Array.isArray(exports) && exports.every(isExport) && Array.isArray(imports);
}

function isExport(value: Unproven<SkeletonExport>): boolean {
  const { name, kind, signature, members = [] } = value ?? {};
  if (typeof name !== 'string' || typeof kind !== 'string' || typeof signature !== 'string') return false;
  return Array.isArray(members) && members.every(isExport);
}

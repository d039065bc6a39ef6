import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BaselineDamage } from '../../locales/messages/zh.ts';
import type { Writing } from '../../parts.ts';
import type { SpecFacts, TargetScope } from '../../reading/facts.ts';
import type { SkeletonExport } from '../../reading/skeleton.ts';
import type { ModelClaim } from '../claims.ts';
import { readFrontMatter } from './document-text.ts';

/** Skeletons of the sources when the spec was written. `diff` compares the current sources with them. */
export interface Baseline {
  scope: TargetScope;
  /** Folders that have documents of their own, relative to the target. */
  without?: string[];
  files: BaselineFile[];
  /** Sentences of the model, each with the source lines that support it. */
  claims?: ModelClaim[];
}

export interface BaselineFile {
  /** Path relative to the target; the file name if the target is a file. */
  path: string;
  language: string;
  contentHash: string;
  exports: SkeletonExport[];
  /** Imports in source order, in the form `module#name,name`. */
  imports: string[];
}

export type BaselineReading =
  | { kind: 'read'; baseline: Baseline }
  | { kind: 'missing' }
  | { kind: 'damaged'; damage: BaselineDamage };

const FORMAT = 1;
const OPENER = 'reverse-spec:baseline';
const LINE = /.{1,120}/g;
/** Maximum decompressed size in bytes, far above that of a real baseline. A forged document cannot fill the memory. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Renders a baseline as compressed base64 in an HTML comment. No source text can end the comment. */
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

/** Reads the last baseline block of a document. Earlier text may quote other blocks. */
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

/** Whether a value has the structure of a baseline. A correct checksum does not prove that this program wrote it. */
function isBaseline(value: unknown): value is Baseline {
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

/** Folder of baseline files, next to the documents. The leading dot makes it a hidden folder. */
const FOLDER = '.baseline';
const SIDE_FILE_FORMAT = 2;

/** Text of a model, with the key of its inputs. The model is asked again only if the key changes. */
export interface StoredWriting {
  key: string;
  writing: Writing;
}

interface SideFile {
  /** Path relative to the document. */
  path: string;
  text: string;
  /** Hash of `text`, which is also recorded in the front matter of the document. */
  hash: string;
}

/** Returns the baseline as a separate file, with one export per line to keep diffs small. */
export function baselineFile(
  specName: string,
  baseline: Baseline,
  stored: StoredWriting | undefined,
): SideFile {
  const files = baseline.files.map(({ exports, ...file }) => {
    const lines = exports.map((each) => JSON.stringify(each)).join(',\n');
    return `${JSON.stringify(file).slice(0, -1)},"exports":[\n${lines}\n]}`;
  });
  const { files: _, ...rest } = baseline;
  const head = JSON.stringify({ format: SIDE_FILE_FORMAT, ...rest }).slice(0, -1);
  const writing = stored === undefined ? '' : `,\n"stored":${JSON.stringify(stored)}`;
  const text = `${head},"files":[\n${files.join(',\n')}\n]${writing}}\n`;
  return { path: `${FOLDER}/${specName.replace(/\.spec\.md$/, '')}.json`, text, hash: hashOf(text) };
}

/** Reads the baseline of a document: from the document itself, or from the file named in its front matter. */
export async function readBaselineOf(specPath: string, document: string): Promise<BaselineReading> {
  if (readFrontMatter(document).baseline === undefined) return readEmbeddedBaseline(document);
  const text = await sideFile(specPath, document);
  if (text === undefined) return { kind: 'missing' };
  if (hashOf(text) !== readFrontMatter(document).baselineHash) return { kind: 'damaged', damage: 'checksum' };
  try {
    const value: unknown = JSON.parse(text);
    return isBaseline(value) ? { kind: 'read', baseline: value } : { kind: 'damaged', damage: 'structure' };
  } catch {
    return { kind: 'damaged', damage: 'encoding' };
  }
}

/** Returns the stored text of a model if it was written from the same inputs. */
export async function readStoredWriting(
  specPath: string,
  document: string,
  key: string,
): Promise<Writing | undefined> {
  try {
    const text = await sideFile(specPath, document);
    const { stored } = JSON.parse(text ?? '{}') as { stored?: StoredWriting };
    return stored?.key === key ? stored.writing : undefined;
  } catch {
    return undefined;
  }
}

async function sideFile(specPath: string, document: string): Promise<string | undefined> {
  const named = readFrontMatter(document).baseline ?? '';
  // A forged document must not be able to name any other file.
  if (!/^\.baseline\/[^/\\]+\.json$/.test(named)) return undefined;
  return readFile(join(dirname(specPath), named), 'utf8').catch(() => undefined);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text.replace(/\r\n/g, '\n')).digest('hex').slice(0, 32);
}

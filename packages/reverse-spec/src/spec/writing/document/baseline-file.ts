import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Writing } from '../../writer.ts';
import { type Baseline, type BaselineReading, isBaseline, readEmbeddedBaseline } from './baseline.ts';
import { readFrontMatter } from './front-matter.ts';

/** Beside the documents, out of their readers' way. */
const FOLDER = '.baseline';
const FORMAT = 2;

/** Paid text, and the key of its inputs: while that is equal, no model has to be asked again. */
export interface StoredWriting {
  key: string;
  writing: Writing;
}

export interface SideFile {
  /** Relative to the document. */
  path: string;
  text: string;
  /** Ties the document to this very file. */
  hash: string;
}

/** One export a line, so that a change is a change of few lines. */
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
  const head = JSON.stringify({ format: FORMAT, ...rest }).slice(0, -1);
  const writing = stored === undefined ? '' : `,\n"stored":${JSON.stringify(stored)}`;
  const text = `${head},"files":[\n${files.join(',\n')}\n]${writing}}\n`;
  return { path: `${FOLDER}/${specName.replace(/\.spec\.md$/, '')}.json`, text, hash: hashOf(text) };
}

/** The baseline of a document: inside it, or in the file its front matter names. */
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
  // A document from elsewhere must not read other files.
  if (!/^\.baseline\/[^/\\]+\.json$/.test(named)) return undefined;
  return readFile(join(dirname(specPath), named), 'utf8').catch(() => undefined);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text.replace(/\r\n/g, '\n')).digest('hex').slice(0, 32);
}

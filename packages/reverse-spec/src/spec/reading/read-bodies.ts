import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { type Clock, deadlineIn } from '@secateur/base/runtime/time.ts';
import type { BodyFacts, FactReader } from '../../syntax/body-facts.ts';
import type { FileFacts } from './facts.ts';

const MIN_PARSE_MS = 2_000;
const PARSE_MS_A_CHARACTER = 0.02;

/** Reads the facts of function bodies. The text is redacted before it is parsed. */
export async function readBodies(
  base: string,
  files: readonly FileFacts[],
  { clock, reader }: { clock: Clock; reader: FactReader },
): Promise<Map<string, BodyFacts>> {
  const bodies = new Map<string, BodyFacts>();
  for (const { skeleton, packedBodies } of files) {
    const path = skeleton.filePath;
    if (packedBodies !== undefined) {
      bodies.set(path, unpackBodies(packedBodies));
      continue;
    }
    const text = await readFile(join(base, path)).then(sourceText, () => undefined);
    if (text === undefined) continue;
    const deadline = deadlineIn(MIN_PARSE_MS + PARSE_MS_A_CHARACTER * text.length, clock);
    const facts = await reader.read(redactSecrets(text), { path, deadline });
    if (facts !== undefined) bodies.set(path, facts);
  }
  return bodies;
}

/**
 * Hashes the facts of function bodies without their line numbers, so that moved code does not change the
 * hash.
 */
export function bodiesHash(bodies: ReadonlyMap<string, BodyFacts>): string {
  const facts = [...bodies].map(([path, { fileDoc, facts: own }]) => [
    path,
    fileDoc ?? '',
    own.map(({ kind, owner, name, text, when }) => [
      kind,
      owner,
      name,
      kind === 'call' ? '' : text,
      when ?? '',
    ]),
  ]);
  return hash('sha256', JSON.stringify(facts)).slice(0, 16);
}

/** Hashes paths and contents of the files. While the hash is the same, no file has to be read again. */
export function contentsHash(files: readonly FileFacts[]): string {
  const contents = files.map(({ skeleton, contentHash }) => `${skeleton.filePath} ${contentHash}`);
  return hash('sha256', contents.sort().join('\n')).slice(0, 16);
}

/**
 * Decodes a source file. Bytes that are not UTF-8 are read as Latin-1, which keeps names in ASCII and line
 * numbers.
 */
export function sourceText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/**
 * Compresses facts of function bodies to about an eighth of their JSON. Those of a whole project are held in
 * memory until the documents are written.
 */
export function packBodies(bodies: BodyFacts): string {
  return deflateRawSync(JSON.stringify(bodies), { level: 1 }).toString('base64');
}

export function unpackBodies(packed: string): BodyFacts {
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as BodyFacts;
}

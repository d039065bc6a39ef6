import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BodyFacts } from '../../syntax/body-facts.ts';
import type { FileFacts } from './facts.ts';

export function bodiesOf(files: readonly FileFacts[]): Map<string, BodyFacts> {
  return new Map(
    files.flatMap(({ skeleton, packedBodies }) =>
      packedBodies === undefined ? [] : [[skeleton.filePath, unpackBodies(packedBodies)] as const],
    ),
  );
}

/** Hashes the facts of function bodies without line numbers, so that moving code does not change the hash. */
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

/** Hashes paths and contents of files. If the hash is unchanged, no file has to be read. */
export function contentsHash(files: readonly FileFacts[]): string {
  const contents = files.map(({ skeleton, contentHash }) => `${skeleton.filePath} ${contentHash}`);
  return hash('sha256', contents.sort().join('\n')).slice(0, 16);
}

/** Decodes a source file. Bytes that are not UTF-8 are read as Latin-1, which keeps names in ASCII and line numbers. */
export function sourceText(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Compresses the facts of function bodies to about an eighth of their JSON. A batch holds those of the whole project in memory. */
export function packBodies(bodies: BodyFacts): string {
  return deflateRawSync(JSON.stringify(bodies), { level: 1 }).toString('base64');
}

export function unpackBodies(packed: string): BodyFacts {
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as BodyFacts;
}

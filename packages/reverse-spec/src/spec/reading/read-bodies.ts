import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import type { Clock } from '@secateur/base/runtime/clock.ts';
import { deadlineIn } from '@secateur/base/runtime/deadline.ts';
import type { BodyFacts, FactReader } from '../../syntax/body-facts.ts';
import type { FileFacts } from './facts.ts';
import { unpackBodies } from './packed-bodies.ts';
import { sourceText } from './source-text.ts';

const MIN_PARSE_MS = 2_000;
const PARSE_MS_A_CHARACTER = 0.02;

/** Reads the bodies of the files; redacted before parsing, as everything that leaves. */
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

/** Lines do not count: code that moved does what it did. */
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

/** Hashes the files as they are: while it is equal, no file has to be read again. */
export function contentsHash(files: readonly FileFacts[]): string {
  const contents = files.map(({ skeleton, contentHash }) => `${skeleton.filePath} ${contentHash}`);
  return hash('sha256', contents.sort().join('\n')).slice(0, 16);
}

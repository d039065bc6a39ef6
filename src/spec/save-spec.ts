import { access, constants, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { DomainError } from '../runtime/domain-error.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { openRoot } from '../workspace/root.ts';
import { writeFileInside } from '../workspace/write-file.ts';
import { nextVersion } from './document/front-matter.ts';
import { renderDocument } from './document.ts';
import type { SpecFacts } from './facts.ts';
import { hashOfAll } from './skeleton.ts';
import { wordsOf } from './words.ts';
import type { Writing } from './writer.ts';

export interface FinishedSpec {
  facts: SpecFacts;
  writing: Writing;
  model: string;
  /** Absolute. */
  outputDir: string;
  /** The file's. */
  name: string;
}

/** Writes the document over the one before it, whole or not at all; the version goes up by one. */
export async function saveSpec(
  { facts, writing, model, outputDir, name }: FinishedSpec,
  clock: Clock,
): Promise<{ specPath: string; warnings: string[] }> {
  const specPath = join(outputDir, name);
  const previous = await readFile(specPath, 'utf8').catch(() => undefined);
  const skeletons = facts.files.map(({ skeleton }) => skeleton);
  const document = {
    facts,
    prose: writing.prose,
    words: wordsOf.zh,
    frontMatter: {
      type: 'module-spec' as const,
      version: nextVersion(previous),
      sourceTarget: facts.label,
      relatedFiles: skeletons.map(({ filePath }) => filePath),
      lastUpdated: new Date(clock.now()).toISOString(),
      confidence: writing.confidence,
      skeletonHash: hashOfAll(skeletons),
      model,
      tokenUsage: writing.tokenUsage,
    },
  };
  const { text, warnings } = renderDocument(document, previous);
  await saveText(outputDir, name, text);
  return { specPath, warnings };
}

/** Atomically; the folder is made when it is missing. */
export async function saveText(directory: string, name: string, text: string): Promise<void> {
  try {
    await makeFolder(directory, 0o777);
    await writeFileInside(await openRoot(directory), name, text);
  } catch (cause) {
    throw unwritable(directory, cause);
  }
}

/** Asked before a model is paid: whether the folder, or the one it would be made in, takes files. Makes nothing. */
export async function requireWritable(directory: string): Promise<void> {
  const found = await stat(directory).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' || dirname(directory) === directory) throw unwritable(directory, cause);
  });
  if (found === undefined) return requireWritable(dirname(directory));
  if (!found.isDirectory()) throw unwritable(directory, undefined);
  await access(directory, constants.W_OK | constants.X_OK).catch((cause) => {
    throw unwritable(directory, cause);
  });
}

function unwritable(directory: string, cause: unknown): DomainError {
  return new DomainError('output_unwritable', `无法写入输出目录: ${directory}`, { cause });
}

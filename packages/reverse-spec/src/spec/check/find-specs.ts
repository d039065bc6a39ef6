import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { readSpecDocument } from '../drift/spec-states.ts';
import { specError } from '../messages.ts';
import { pathInside } from '../reading/target.ts';
import { readFrontMatter } from '../writing/document/front-matter.ts';

/** A spec that takes part, and what it speaks of. */
export interface FoundSpec {
  absolute: string;
  /** As messages call it. */
  named: string;
  document: string;
  /** The target as the spec names it. */
  sourceTarget: string;
}

export interface SpecSearch {
  cwd: string;
  /** Absolute. */
  outputDir: string;
  /** The folder the specs' targets are named from. */
  base: string;
  /** Specs, folders of specs, or sources; all specs of the output folder if empty. */
  paths: readonly string[];
}

/** Specs by name, by folder, or by the sources they speak of: a hook hands over the files of a commit. */
export async function findSpecs({ cwd, outputDir, base, paths }: SpecSearch): Promise<FoundSpec[]> {
  const found = new Map<string, FoundSpec>();
  for (const path of paths.length === 0 ? [outputDir] : paths) {
    const absolute = resolve(cwd, path);
    const here = await specFilesAt(absolute);
    // A source may be gone, and its spec is then to say so; a spec that is named has to be there.
    if (here.length === 0 && path.endsWith('.spec.md')) throw specError('spec_not_found', { path });
    const specs =
      here.length > 0
        ? await readSpecs(here, cwd)
        : await specsOfSource(absolute, { cwd, base, all: outputDir });
    for (const spec of specs) found.set(spec.absolute, spec);
  }
  if (found.size === 0 && paths.length === 0) throw specError('no_specs', { path: relative(cwd, outputDir) });
  return [...found.values()].sort((one, other) => (one.absolute < other.absolute ? -1 : 1));
}

/** Every spec of a folder, those of single modules alone. */
export async function specsIn(folder: string, cwd: string): Promise<FoundSpec[]> {
  return readSpecs(await specFilesAt(folder), cwd);
}

async function specFilesAt(absolute: string): Promise<string[]> {
  const found = await stat(absolute).catch(() => undefined);
  if (found?.isFile()) return absolute.endsWith('.spec.md') ? [absolute] : [];
  if (!found?.isDirectory()) return [];
  const names = await readdir(absolute, { recursive: true });
  return names.filter(isSpec).map((name) => join(absolute, name));
}

function isSpec(name: string): boolean {
  return (
    name.endsWith('.spec.md') &&
    !name.endsWith('_index.spec.md') &&
    !name.startsWith('_areas/') &&
    !name.includes('node_modules')
  );
}

async function readSpecs(files: readonly string[], cwd: string): Promise<FoundSpec[]> {
  const specs = await Promise.all(files.map((file) => readSpec(file, cwd)));
  return specs.filter((spec) => spec !== undefined);
}

async function readSpec(absolute: string, cwd: string): Promise<FoundSpec | undefined> {
  const named = relative(cwd, absolute);
  const document = await readSpecDocument(absolute, named);
  const { type, sourceTarget } = readFrontMatter(document);
  if (type === 'index-spec' || sourceTarget === undefined) return undefined;
  return { absolute, named, document, sourceTarget };
}

/** Finds specs whose target contains the path or is in it. */
async function specsOfSource(
  absolute: string,
  { cwd, base, all }: { cwd: string; base: string; all: string },
): Promise<FoundSpec[]> {
  const specs = await specsIn(all, cwd);
  return specs.filter(({ sourceTarget }) => {
    const target = resolve(base, sourceTarget);
    return pathInside(target, absolute) !== undefined || pathInside(absolute, target) !== undefined;
  });
}

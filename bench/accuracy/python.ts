import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Declaration } from '../../packages/reverse-spec/src/syntax/outline.ts';
import type { Outliner } from '../../packages/reverse-spec/src/syntax/read-outline.ts';
import { Tally } from './tally.ts';

interface Definition {
  name: string;
  signature: string;
  members: Definition[];
}

interface Described {
  path: string;
  names: string[];
  definitions: Definition[];
  error?: string;
}

/** Returns the folder of the standard library of `python3`; undefined if there is no Python. */
export function standardLibrary(): string | undefined {
  const { status, stdout } = spawnSync(
    'python3',
    ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))'],
    {
      encoding: 'utf8',
    },
  );
  return status === 0 ? stdout.trim() : undefined;
}

/** The library's own modules: installed packages and test data, some of it broken on purpose, left out. */
export function pythonFiles(root: string): string[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return files
    .filter(
      (file) =>
        file.endsWith('.py') &&
        !/(^|\/)(site-packages|dist-packages|lib2to3\/tests\/data|test\/bad)/.test(file),
    )
    .sort()
    .map((file) => join(root, file));
}

/** Compares each module's outline with what Python's `ast` and `tokenize` say of it. */
export async function comparePython(
  outliner: Outliner,
  root: string,
  files: readonly string[],
): Promise<Tally> {
  const tally = new Tally();
  for (const described of describe(files)) {
    if (described.error !== undefined) continue;
    const text = readFileSync(described.path, 'utf8').replace(/^\uFEFF/, '');
    // Modules in other encodings are read as text by Python alone.
    if (text.includes('\uFFFD')) continue;
    const outline = await outliner.outline(text, { language: 'python', path: described.path });
    const where = relative(root, described.path);
    tally.files++;
    tally.names(where, exportedNames(outline.declarations), new Set(described.names));
    compareDefinitions(where, { tally, ours: outline.declarations, theirs: described.definitions });
  }
  return tally;
}

function describe(files: readonly string[]): Described[] {
  const script = fileURLToPath(new URL('python_reference.py', import.meta.url));
  const { stdout } = spawnSync('python3', [script], {
    input: files.join('\n'),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Described]));
}

function exportedNames(declarations: readonly Declaration[]): Set<string> {
  return new Set(declarations.filter((each) => each.exported).map((each) => each.name));
}

const DEFINED: ReadonlySet<string> = new Set(['function', 'class', 'method', 'constructor']);

interface Pairing {
  tally: Tally;
  ours: readonly Declaration[];
  theirs: readonly Definition[];
}

function compareDefinitions(where: string, { tally, ours, theirs }: Pairing): void {
  const left = ours.filter(
    (each) => DEFINED.has(each.kind) || /(^|\n)\s*(async\s+)?def\s/.test(each.signature),
  );
  for (const definition of theirs) {
    const index = left.findIndex(
      (each) => each.name === definition.name && quotes(each.signature, definition.signature),
    );
    const match = left[index];
    tally.signature(`${where} ${definition.name}`, match !== undefined, definition.signature);
    if (match === undefined) continue;
    if (match.signature === definition.signature) left.splice(index, 1);
    compareDefinitions(`${where} ${definition.name}`, {
      tally,
      ours: match.members,
      theirs: definition.members,
    });
  }
}

/** The whole signature, or one whole entry among merged overloads. */
function quotes(ours: string, theirs: string): boolean {
  return (
    ours === theirs ||
    ours.startsWith(`${theirs}\n`) ||
    ours.endsWith(`\n${theirs}`) ||
    ours.includes(`\n${theirs}\n`)
  );
}

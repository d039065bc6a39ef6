import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LanguageId } from '../../packages/base/src/languages/languages.ts';

/** A language's own parser, asked for what a file declares. */
export interface Judge {
  language: LanguageId;
  tool: string;
  /** Names of the Debian packages. */
  packages: string;
  extensions: RegExp;
  /** Notation of our names if the judge's notation differs. */
  dialect: 'plain' | 'rust' | 'clang';
  /** Returns the command that reads paths from standard input; undefined if the tool is not installed. */
  command(folder: string): readonly string[] | undefined;
}

const here = fileURLToPath(new URL('reference/', import.meta.url));

export const judges: readonly Judge[] = [
  {
    language: 'go',
    tool: 'go/ast',
    packages: 'golang-go',
    extensions: /\.go$/,
    dialect: 'plain',
    command: () => installed(['go', 'version'], ['go', 'run', join(here, 'reference.go')]),
  },
  {
    language: 'java',
    tool: 'com.sun.source',
    packages: 'openjdk-17-jdk-headless',
    extensions: /(?<!(?:module|package)-info)\.java$/,
    dialect: 'plain',
    command: () => installed(['javac', '-version'], ['java', join(here, 'Reference.java')]),
  },
  {
    language: 'ruby',
    tool: 'Ripper',
    packages: 'ruby',
    extensions: /\.rb$/,
    dialect: 'plain',
    command: () => installed(['ruby', '-rripper', '-e', ''], ['ruby', join(here, 'reference.rb')]),
  },
  {
    language: 'php',
    tool: 'php-ast',
    packages: 'php-cli php-ast',
    extensions: /(?<!\.blade)\.php$/,
    dialect: 'plain',
    command: () =>
      installed(
        ['php', '-r', 'exit(extension_loaded("ast") ? 0 : 1);'],
        ['php', join(here, 'reference.php')],
      ),
  },
  {
    language: 'rust',
    tool: 'syn',
    packages: 'cargo librust-syn-dev',
    extensions: /\.rs$/,
    dialect: 'rust',
    command: buildSyn,
  },
  {
    language: 'c',
    tool: 'libclang',
    packages: 'python3-clang',
    extensions: /\.h$/,
    dialect: 'clang',
    command: (folder) => clang('c', folder),
  },
  {
    language: 'cpp',
    tool: 'libclang',
    packages: 'python3-clang libstdc++-12-dev',
    extensions: /\.(?:h|hpp|hh)$/,
    dialect: 'clang',
    command: (folder) => clang('c++', folder),
  },
];

function installed(probe: readonly string[], command: readonly string[]): readonly string[] | undefined {
  const [program = '', ...rest] = probe;
  return spawnSync(program, rest).status === 0 ? command : undefined;
}

/** Debian's own Python: its packages are not seen by another one. */
function clang(language: string, folder: string): readonly string[] | undefined {
  const python = '/usr/bin/python3';
  const script = join(here, 'clang_reference.py');
  return installed(
    [python, '-c', 'import clang.cindex; clang.cindex.Index.create()'],
    [python, script, language, folder, join(folder, 'include'), join(folder, 'lib')],
  );
}

const CRATES = '/usr/share/cargo/registry';

/** The crates Debian ships stand in for the registry, so that nothing is fetched. */
function buildSyn(): readonly string[] | undefined {
  if (installed(['cargo', '--version'], ['cargo']) === undefined || !hasSyn()) return undefined;
  const work = mkdtempSync(join(tmpdir(), 'syn-judge-'));
  const config = join(work, 'config.toml');
  writeFileSync(
    config,
    `[source.crates-io]\nreplace-with = "system"\n[source.system]\ndirectory = "${CRATES}"\n`,
  );
  const target = process.env.CARGO_TARGET_DIR ?? join(work, 'target');
  const manifest = join(here, 'rust/Cargo.toml');
  const { status, stderr } = spawnSync(
    'cargo',
    [
      'build',
      '--release',
      '--offline',
      '--config',
      config,
      '--manifest-path',
      manifest,
      '--target-dir',
      target,
    ],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return [join(target, 'release/reference')];
}

function hasSyn(): boolean {
  try {
    return readdirSync(CRATES).some((name) => name.startsWith('syn-1'));
  } catch {
    return false;
  }
}

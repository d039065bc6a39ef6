import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { missingPlatformPackages } from './complete-lock.ts';

interface TextFile {
  readonly path: string;
  readonly text: string;
}

interface RepositoryRule {
  readonly name: string;
  readonly files: RegExp;
  readonly except?: RegExp;
  /** Returns what is wrong with the file, if anything. */
  judge(file: TextFile): string | undefined;
}

/** Rules about the repository no linter knows. Each has a planted breach in test/house/. */
const rules: readonly RepositoryRule[] = [
  {
    name: 'lock files name no registry host',
    files: /(^|\/)package-lock\.json$/,
    judge: forbid(/"resolved": "https?:[^"]*/),
  },
  {
    name: 'lock files name the optional packages of every platform (npm run lock)',
    files: /(^|\/)package-lock\.json$/,
    judge: ({ text }) => missingPlatformPackages(JSON.parse(text)).keys().next().value,
  },
  {
    name: 'no paths of a single machine',
    files: /\.(ts|mjs|json|md|sh|toml|yml|svg|py)$|^\.ci\/run$/,
    judge: forbid(/(?<![\w.])\/(work|root|Users)\/[\w.-]+/),
  },
  {
    name: 'the environment is read in main and config only',
    files: /^packages\/[^/]+\/src\//,
    except: /^packages\/[^/]+\/src\/(main|config)\/|\/commands\/(main|start)\.ts$/,
    judge: forbid(/process\.env/),
  },
  {
    name: 'fetch only where the network belongs',
    files: /^packages\/[^/]+\/src\//,
    except: /^packages\/(engine\/src\/ranking\/deepinfra|secateur\/src\/servers\/gateway\/)/,
    judge: forbid(/(?<![\w.])fetch\(/),
  },
  {
    name: 'deadlines go through runtime/with-deadline, never AbortSignal.timeout (X24)',
    files: /^packages\/[^/]+\/src\//,
    judge: forbid(/AbortSignal\s*\.\s*timeout\s*\(/),
  },
  {
    name: 'streams of unknown length are read with runtime/read-at-most (X23)',
    files: /^packages\/[^/]+\/src\//,
    judge: forbid(
      /node:stream\/consumers|\b(?:answer|body|reply|response)\.(?:arrayBuffer|blob|json|text)\(\)/,
    ),
    // Fed by signInFetch, which has read at most 1 MB.
    except: /^packages\/secateur\/src\/servers\/gateway\/sign-in\.ts$/,
  },
  {
    name: 'no state at module level',
    files: /^packages\/[^/]+\/src\//,
    judge: forbid(/^(export )?(let|var) .*/m),
  },
  {
    name: 'no names that say nothing',
    files: /^(packages|test|bench|scripts|training)\//,
    judge: ({ path }) => path.match(/(^|[/-])(utils?|helpers?|shared|common)([/.-]|$)/)?.[0],
  },
  {
    name: 'no managers, services or orchestrators',
    files: /^packages\/[^/]+\/src\//,
    judge: forbid(/\b(class|interface) \w+(Manager|Service|Orchestrator)\b/),
  },
  {
    name: 'ARCHITECTURE.md stays short enough to read (150 lines)',
    files: /^ARCHITECTURE\.md$/,
    judge: ({ text }) => {
      const lines = text.trimEnd().split('\n').length;
      return lines > 150 ? `${lines} lines` : undefined;
    },
  },
];

export function checkRepository(root: string): string[] {
  return repositoryFiles(root).flatMap((path) => {
    const applicable = rules.filter(({ files, except }) => files.test(path) && !except?.test(path));
    if (applicable.length === 0) return [];
    const file = { path, text: readFileSync(join(root, path), 'utf8') };
    return applicable.flatMap(({ name, judge }) => {
      const breach = judge(file);
      return breach === undefined ? [] : [`${name}: ${path}: ${breach}`];
    });
  });
}

function forbid(pattern: RegExp): RepositoryRule['judge'] {
  return ({ text }) => text.match(pattern)?.[0];
}

/** Files that the build copies into the packages. */
const COPIED = /^packages\/\w+\/([A-Z]+(\.md)?|docs|plugin|examples|\.claude-plugin)$/;
const LEFT_OUT = new Set(['node_modules', 'dist', '.git', 'coverage', 'fixtures']);

function repositoryFiles(root: string, folder = ''): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.has(basename(path)) || COPIED.test(path) || entry.isSymbolicLink()) return [];
    return entry.isDirectory() ? repositoryFiles(root, path) : [path];
  });
}

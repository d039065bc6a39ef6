import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { scanTarget } from '../../packages/reverse-spec/src/spec/prepare/scope.ts';
import {
  createImportResolver,
  resolveDependencies,
} from '../../packages/reverse-spec/src/spec/reading/import-resolver.ts';
import { readFacts } from '../../packages/reverse-spec/src/spec/reading/read-facts.ts';
import { resolveTarget } from '../../packages/reverse-spec/src/spec/reading/target.ts';
import { scriptEdges } from './edges-script.ts';

export interface EdgeJudgement {
  files: number;
  /** Number of edges in the reference. */
  truth: number;
  found: number;
  missed: string[];
  invented: string[];
}

/** The edges between a project's sources, by our resolver and by the reference. */
export async function judgeEdges(folder: string): Promise<EdgeJudgement> {
  const target = { ...(await resolveTarget(folder, folder)), base: folder, path: '.' };
  const { paths } = await scanTarget(target, { modulesOnly: true });
  const { files } = await readFacts(target, paths, {
    clock: { now: Date.now, monotonic: () => performance.now() },
    cwd: folder,
    version: 'bench',
    maxFileBytes: 1_048_576,
    tokenBudget: 1,
  });
  const within = files.map(({ skeleton }) => skeleton.filePath);
  const { internal } = resolveDependencies(files, createImportResolver(folder, paths));
  const ours = new Set(internal.map(({ from, to }) => `${from} -> ${to}`));
  const truth = new Set([...reference(folder, within, paths), ...scriptEdges(folder, within, paths)]);
  return {
    files: files.length,
    truth: truth.size,
    found: [...truth].filter((edge) => ours.has(edge)).length,
    missed: [...truth].filter((edge) => !ours.has(edge)),
    invented: [...ours].filter((edge) => !truth.has(edge)),
  };
}

const MANIFEST = /(?:^|\/)(?:go\.mod|Cargo\.toml|[^/]+\.csproj|Directory\.Build\.props)$/;

function reference(base: string, files: readonly string[], paths: readonly string[]): string[] {
  const script = fileURLToPath(new URL('./edges_reference.py', import.meta.url));
  const input = JSON.stringify({ base, files, manifests: paths.filter((path) => MANIFEST.test(path)) });
  const { status, stdout, stderr } = spawnSync('python3', [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as [string, string][]).map(([from, to]) => `${from} -> ${to}`);
}

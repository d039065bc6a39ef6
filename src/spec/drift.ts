import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { DomainError } from '../runtime/domain-error.ts';
import { type Baseline, baselineOf } from './document/baseline.ts';
import { readBaselineOf } from './document/baseline-file.ts';
import { readFrontMatter } from './document/front-matter.ts';
import { compareBaselines } from './drift/compare.ts';
import { renderDriftReport } from './drift/render-report.ts';
import { type DriftItem, type DriftSummary, itemsOf, summaryOf } from './drift/report.ts';
import { scanParts, scanTarget } from './prepare/scan.ts';
import { roleOf } from './prepare/scope.ts';
import { readFacts } from './read-facts.ts';
import type { ReadingParts } from './reading-parts.ts';
import { saveText } from './save-spec.ts';
import { resolveTarget, type Target } from './target.ts';

export interface DriftRequest {
  specPath: string;
  sourcePath: string;
}

export interface DriftReport {
  specPath: string;
  sourcePath: string;
  generatedAt: string;
  specVersion: string;
  summary: DriftSummary;
  items: DriftItem[];
  /** Differences that mean nothing: formatting, comments, import order. */
  filteredNoise: number;
  recommendation: string;
  /** The Markdown report; null when it could not be written. */
  outputPath: string | null;
}

/** A spec's baseline against the source of today. No model, no network. */
export async function detectDrift(request: DriftRequest, parts: ReadingParts): Promise<DriftReport> {
  const specPath = resolve(parts.cwd, request.specPath);
  const document = await readSpec(specPath, request.specPath);
  const before = await requireBaseline(specPath, document, request.specPath);
  const target = await resolveTarget(request.sourcePath, parts.cwd);
  const { after, unreadable } = await currentBaseline(target, before, parts);
  const comparison = compareBaselines(narrowed(before, target), after);
  const items = itemsOf(comparison);
  const summary = summaryOf(items);
  const report: DriftReport = {
    specPath: request.specPath,
    sourcePath: request.sourcePath,
    generatedAt: new Date(parts.clock.now()).toISOString(),
    specVersion: readFrontMatter(document).version ?? 'v1',
    summary,
    items,
    filteredNoise: comparison.noise,
    recommendation: recommend(summary, unreadable),
    outputPath: null,
  };
  return { ...report, outputPath: await saveReport(specPath, report) };
}

async function readSpec(file: string, named: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause) => {
    throw new DomainError('spec_not_found', `spec 文件不存在或无法读取: ${named}`, { cause });
  });
}

async function requireBaseline(specPath: string, document: string, named: string): Promise<Baseline> {
  const reading = await readBaselineOf(specPath, document);
  if (reading.kind === 'read') return reading.baseline;
  const hint = '请对同一目标重新运行 generate。';
  if (reading.kind === 'missing')
    throw new DomainError('baseline_missing', `spec 中没有基线骨架: ${named}`, { hint });
  throw new DomainError('baseline_damaged', `spec 的基线骨架已损坏（${reading.reason}）: ${named}`, { hint });
}

/** Read by the same rules as when the spec was written: a spec of one folder does not look into its sub-folders. */
async function currentBaseline(target: Target, before: Baseline, parts: ReadingParts) {
  const scope = target.scope === 'tree' && before.scope === 'folder' ? 'folder' : target.scope;
  const scoped = { ...target, scope, ...withoutBelow(target, before) };
  const modulesOnly = before.files.every(({ path }) => roleOf(path) === 'source');
  const scan = await scanTarget(scoped, { modulesOnly, ...scanParts(parts) });
  const { files, notes } = await readFacts(scoped, scan.paths, parts);
  const broken = files
    .filter(({ skeleton }) => skeleton.parseErrors !== undefined)
    .map(({ skeleton }) => skeleton.filePath);
  return {
    after: baselineOf({ target: target.path, scope, files }),
    unreadable: [...broken, ...lost(before, notes), ...Object.keys(scan.notes)],
  };
}

/** What other documents speak of is not this one's. */
function withoutBelow({ path }: Target, { without }: Baseline): Pick<Target, 'without'> {
  if (without === undefined) return {};
  return { without: without.map((folder) => (path === '.' ? folder : `${path}/${folder}`)) };
}

/** Files the baseline knows and nobody can read any more. */
function lost(before: Baseline, notes: Readonly<Record<string, string>>): string[] {
  return Object.keys(notes).filter((path) =>
    before.files.some((file) => path === file.path || path.endsWith(`/${file.path}`)),
  );
}

/** One file of a folder's spec may be checked alone. */
function narrowed(before: Baseline, { scope, path }: Target): Baseline {
  if (scope !== 'file' || before.scope === 'file') return before;
  const [file] = before.files
    .filter((each) => path === each.path || path.endsWith(`/${each.path}`))
    // `sub/index.ts` ends with `index.ts` too: the longest is meant.
    .sort((one, other) => other.path.length - one.path.length);
  if (file === undefined) throw new DomainError('not_in_baseline', `spec 的基线中没有该文件: ${path}`);
  return { scope: 'file', files: [{ ...file, path: basename(path) }] };
}

function recommend({ high, medium, low }: DriftSummary, unreadable: readonly string[]): string {
  const doubt =
    unreadable.length === 0 ? '' : `注意: ${unreadable.length} 个文件有语法错误或无法读取，结果可能不完整。`;
  if (high > 0) return `发现 ${high} 处破坏性变更，请先确认影响，再重新生成 spec。${doubt}`;
  if (medium > 0) return `发现 ${medium} 处接口变更，建议更新 spec。${doubt}`;
  if (low > 0) return `仅有 ${low} 处新增或移动，可在方便时更新 spec。${doubt}`;
  return `spec 与源代码一致，无需更新。${doubt}`;
}

async function saveReport(specPath: string, report: DriftReport): Promise<string | null> {
  const folder = join(dirname(specPath), 'drift-logs');
  const name = `${basename(specPath).replace(/(?:\.spec)?\.md$/, '')}.drift.md`;
  try {
    await saveText(folder, name, renderDriftReport(report));
    return join(folder, name);
  } catch {
    // A read-only checkout (CI) still gets its answer.
    return null;
  }
}

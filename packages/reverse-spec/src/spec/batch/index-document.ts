import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '@secateur/base/runtime/time.ts';
import type { BatchResult } from '../batch.ts';
import { type LocaleStrings, stringsByLanguage } from '../locales.ts';
import type { ReadingParts } from '../parts.ts';
import type { FileFacts } from '../reading/facts.ts';
import { diagramOf } from '../writing/document/dependencies.ts';
import {
  type Confidence,
  type FrontMatter,
  foreignLines,
  nextVersion,
  noTokens,
  readFrontMatter,
  renderFrontMatter,
} from '../writing/document/document-text.ts';
import { type FreshText, type MergedText, mergeManualEdits } from '../writing/document/manual-edits.ts';
import { blocks, inlineCode, markdownTable } from '../writing/document/markdown.ts';
import { readSpecHead, type SpecHead } from '../writing/freshness.ts';
import { saveText, specFileName } from '../writing/save-spec.ts';
import { type Area, areasOf, entryModules, type SpecModule } from './modules.ts';
import { type BatchPlan, INDEX_NAME } from './plan.ts';
import type { ModuleOutcome } from './write-module.ts';

/** Maximum number of modules listed in the index. With more, the index lists areas, and each area has its own page. */
const MAX_MODULE_ROWS = 40;

const AREA_FOLDER = '_areas';

/**
 * Writes the index of all modules from the documents on disk, if it changed. The index stays below 300 lines:
 * in a large project it lists areas, and the page of each area lists its modules.
 */
export async function saveIndex(
  plan: BatchPlan,
  parts: Pick<ReadingParts, 'clock' | 'version'>,
): Promise<boolean> {
  const { modules, outputDir } = plan;
  if (modules.length === 0) return false;
  const specs = new Map<string, SpecHead>();
  for (const { label, specName } of modules) {
    const spec = await readSpecHead(outputDir, specName);
    if (spec !== undefined) specs.set(label, spec);
  }
  const index = { plan, specs, strings: stringsByLanguage[plan.language] };
  const areas = modules.length > MAX_MODULE_ROWS ? areasOf(modules) : [];
  for (const area of areas)
    await savePage(index, { fresh: areaPage(area, index), name: pageName(area) }, parts);
  await savePage(index, { fresh: freshIndex(index, areas), name: INDEX_NAME }, parts);
  return true;
}

/** Modules of a project and, by label, what is known of their documents. */
interface Index {
  plan: BatchPlan;
  specs: ReadonlyMap<string, SpecHead>;
  strings: LocaleStrings;
}

async function savePage(
  index: Index,
  { fresh, name }: { fresh: FreshText; name: string },
  { clock, version: toolVersion }: Pick<ReadingParts, 'clock' | 'version'>,
): Promise<void> {
  const { outputDir } = index.plan;
  const previous = await readFile(join(outputDir, name), 'utf8').catch(() => undefined);
  const merged = mergeManualEdits(fresh, previous, index.strings);
  const render = (version: string, lastUpdated: string) => {
    const matter = { ...matterOf(index, merged), toolVersion, version, lastUpdated };
    return `${blocks(renderFrontMatter(matter, foreignLines(previous ?? '')), merged.body)}\n`;
  };
  const { version = '', lastUpdated = '' } = readFrontMatter(previous ?? '');
  if (render(version, lastUpdated) === previous) return;
  const text = render(nextVersion(previous), new Date(clock.now()).toISOString());
  await saveText(dirname(join(outputDir, name)), basename(name), text);
}

function pageName({ label }: Area): string {
  return `${AREA_FOLDER}/${specFileName(label)}`;
}

function matterOf(
  { plan: { modules, root, language }, specs }: Index,
  { sectionHashes }: MergedText,
): Omit<FrontMatter, 'toolVersion' | 'version' | 'lastUpdated'> {
  const hashes = modules.map(({ origins }) => origins.skeletonHash).sort();
  return {
    type: 'index-spec',
    sourceTarget: root.label,
    // In a large project the documents are listed on the pages of the areas.
    relatedFiles: modules.length > MAX_MODULE_ROWS ? [] : modules.map(({ specName }) => specName),
    confidence:
      CONFIDENCES.find((level) => [...specs.values()].some((each) => each.confidence === level)) ?? 'low',
    skeletonHash: hash('sha256', hashes.join('\n')),
    model: 'none',
    language,
    tokenUsage: noTokens,
    sections: sectionHashes,
  };
}

function freshIndex(index: Index, areas: readonly Area[]): FreshText {
  const { strings } = index;
  const { modules } = index.plan;
  const edges = modules.flatMap(({ label, dependsOn, circle = [] }) =>
    [...dependsOn, ...circle].map((to) => ({ from: label, to })),
  );
  const graph = diagramOf({ nodes: modules.map(({ label }) => label), edges }, strings);
  const map =
    areas.length === 0
      ? moduleList(modules, index, '')
      : blocks(strings.areasIntro(modules.length, areas.length), areaTable(areas, index));
  return {
    title: `# ${strings.indexTitle}`,
    sections: [
      { id: 'modules', title: strings.sections.modules, body: map },
      { id: 'moduleGraph', title: strings.sections.moduleGraph, body: graph },
    ],
  };
}

/** Returns the page of an area. Its links are relative to a folder inside the one with the documents. */
function areaPage({ label, modules }: Area, index: Index): FreshText {
  const { areaTitle, sections } = index.strings;
  const body = moduleList(modules, index, '../');
  return { title: `# ${areaTitle(label)}`, sections: [{ id: 'modules', title: sections.modules, body }] };
}

function areaTable(areas: readonly Area[], { plan, specs, strings }: Index): string {
  const { columns, sections } = strings;
  const rows = areas.map((area) => {
    const entries = entryModules(area.modules, plan.modules);
    const own = area.modules.find(({ label }) => label === area.label) ?? entries[0];
    const files = area.modules.reduce((sum, module) => sum + module.files.length, 0);
    return [
      `[${inlineCode(area.label)}](<${encodeURI(pageName(area))}>)`,
      `${area.modules.length}`,
      `${files}`,
      purposeOf(own && specs.get(own.label), own?.files ?? [], strings),
      entries
        .slice(0, ENTRIES_SHOWN)
        .map((module) => specLink(module, specs, ''))
        .join(strings.listComma),
    ];
  });
  return markdownTable(
    [columns.area, columns.moduleCount, columns.fileCount, sections.intent, columns.entryPoints],
    rows,
  );
}

const ENTRIES_SHOWN = 3;

/** Returns the purpose that a document states, else the names that the module declares. */
function purposeOf(spec: SpecHead | undefined, files: readonly FileFacts[], strings: LocaleStrings): string {
  const { intent = '' } = spec ?? {};
  const isSilent = ['', strings.noIntent, strings.noWordsOnWhole].includes(intent);
  return isSilent ? declaredIn(files, strings) : intent;
}

function specLink({ label, specName }: SpecModule, specs: Index['specs'], prefix: string): string {
  return specs.has(label) ? `[${inlineCode(label)}](<${prefix}${encodeURI(specName)}>)` : inlineCode(label);
}

/** Returns the table of modules. It has no line counts, because they would change the index with every commit. */
function moduleList(modules: readonly SpecModule[], { specs, strings }: Index, prefix: string): string {
  const { columns, sections, notWritten } = strings;
  const rows = modules.map((module) => {
    const { label, files } = module;
    const spec = specs.get(label);
    const exports = files.reduce((sum, { skeleton }) => sum + skeleton.exports.length, 0);
    const state = spec?.confidence ?? notWritten;
    const intent = purposeOf(spec, files, strings);
    const entries = entryNames(files, strings);
    return [specLink(module, specs, prefix), `${files.length}`, `${exports}`, state, intent, entries];
  });
  const { module, fileCount, exports, confidence, entryPoints } = columns;
  const titles = [module, fileCount, exports, confidence, sections.intent, entryPoints];
  return blocks(strings.indexIntro(modules.length), markdownTable(titles, rows));
}

const ENTRY_FILE = /(?:^|\/)(?:index|main|__main__|mod|lib|__init__|cli|app|server)\.\w+$/;

/** Returns the names that the entry files of a module export. */
function entryNames(files: readonly FileFacts[], { listComma }: LocaleStrings): string {
  const names = files
    .filter(({ skeleton }) => ENTRY_FILE.test(skeleton.filePath))
    .flatMap(({ skeleton }) => skeleton.exports)
    .filter(
      ({ name, kind }) => name !== '*' && (kind === 'function' || kind === 'class' || kind === 're-export'),
    )
    .map(({ name }) => name);
  return [...new Set(names)].slice(0, ENTRIES_SHOWN).map(inlineCode).join(listComma);
}

const NAMES_SHOWN = 5;

/** Returns the names that a module declares, sorted so that those in upper folders come first. */
function declaredIn(files: readonly FileFacts[], { declares, listComma }: LocaleStrings): string {
  const depth = ({ skeleton }: FileFacts) => skeleton.filePath.split('/').length;
  const names = files
    .toSorted((one, other) => depth(one) - depth(other))
    .flatMap(({ skeleton }) => skeleton.exports.filter(({ name }) => name !== '*'))
    .map(({ name }) => name);
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return '';
  const more = distinct.length > NAMES_SHOWN ? ' …' : '';
  return declares(distinct.slice(0, NAMES_SHOWN).map(inlineCode).join(listComma)) + more;
}

const CONFIDENCES: readonly Confidence[] = ['low', 'medium', 'high'];

interface RunSummary {
  result: BatchResult;
  plan: BatchPlan;
  outcomes: ReadonlyMap<string, ModuleOutcome>;
}

export const SUMMARY_NAME = 'batch-summary.md';

/** Writes the summary of a run. If all modules were up to date, an existing summary stays unchanged. */
export async function saveSummary(run: RunSummary, clock: Clock): Promise<void> {
  const { outputDir, pending } = run.plan;
  if (pending.length > 0 || !existsSync(run.result.summaryLogPath))
    await saveText(outputDir, SUMMARY_NAME, renderSummary(run, clock));
}

function renderSummary({ result, plan, outcomes }: RunSummary, clock: Clock): string {
  const strings = stringsByLanguage[plan.language];
  const rows = plan.modules.map(({ label, reasons }) => {
    const outcome = outcomes.get(label);
    if (outcome === undefined) return [inlineCode(label), strings.outcomes.skipped, '', '', ''];
    const why = reasons.map((reason) => strings.reasons[reason]).join(strings.listComma);
    const tokens = 'usage' in outcome ? `${outcome.usage.input + outcome.usage.output}` : '';
    return [inlineCode(label), strings.outcomes[outcome.kind], why, tokens, detail(outcome)];
  });
  const { columns } = strings;
  return `${blocks(
    `# ${strings.summary.title}`,
    strings.summary.time(new Date(clock.now()).toISOString(), result.duration / 1000),
    strings.summary.counts(result),
    markdownTable([columns.module, columns.outcome, columns.why, 'tokens', columns.remark], rows),
  )}\n`;
}

function detail(outcome: ModuleOutcome): string {
  if (outcome.kind === 'failed') return outcome.reason;
  return 'warnings' in outcome ? outcome.warnings.join('；') : '';
}

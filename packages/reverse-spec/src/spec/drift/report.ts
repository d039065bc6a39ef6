import type { DriftReport } from '../drift.ts';
import type { Messages } from '../locales/messages/zh.ts';
import type { ModelClaim } from '../writing/claims.ts';
import { blocks, fenced, inlineCode, linesOf, markdownTable } from '../writing/document/markdown.ts';
import {
  type Change,
  type Comparison,
  changedName,
  type PlacedExport,
  writtenText,
} from './export-changes.ts';

export type DriftTexts = Messages['drift'];

export interface DriftItem {
  id: string;
  severity: Severity;
  /** Category of the change. `claim`: the source lines of a model's sentence; reported only by `check`. */
  category: 'export' | 'signature' | 'type' | 'member' | 'claim';
  changeType: 'addition' | 'removal' | 'modification' | 'rename' | 'move';
  symbolName: string;
  location: string;
  description: string;
  oldValue?: string;
  newValue?: string;
  proposedUpdate: string;
  detectedBy: 'structural' | 'evidence';
}

export type Severity = 'HIGH' | 'MEDIUM' | 'LOW';

export type DriftSummary = Record<
  'totalChanges' | 'high' | 'medium' | 'low' | 'additions' | 'removals' | 'modifications',
  number
>;

const RANK: Readonly<Record<Severity, number>> = { HIGH: 0, MEDIUM: 1, LOW: 2 };

/** Returns one item per change, the most severe first. The same changes always get the same ids. */
export function itemsOf({ changes }: Comparison, texts: DriftTexts): DriftItem[] {
  return changes
    .map((change) => itemOf(change, texts))
    .sort((one, other) => RANK[one.severity] - RANK[other.severity] || order(one, other))
    .map((item, at) => ({ id: idOf(at), ...item }));
}

export function idOf(at: number): string {
  return `drift-${String(at + 1).padStart(3, '0')}`;
}

/** Returns the item for a model's sentence whose source lines changed. The severity is low, because the sentence may still be true. */
export function staleItem(
  { section, text, path, ...lines }: ModelClaim,
  prefix: string,
  texts: DriftTexts,
): Omit<DriftItem, 'id'> {
  const file = prefix === '.' ? path : `${prefix}/${path}`;
  return {
    severity: 'LOW',
    category: 'claim',
    changeType: 'modification',
    symbolName: section,
    location: `${file}:${lines.startLine}`,
    description: texts.stale(text, `${file}#${linesOf(lines)}`),
    proposedUpdate: texts.staleUpdate,
    detectedBy: 'evidence',
  };
}

function order(one: Draft, other: Draft): number {
  const [left, right] = [`${one.location}\0${one.symbolName}`, `${other.location}\0${other.symbolName}`];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

export function summaryOf(items: readonly DriftItem[]): DriftSummary {
  const count = (test: (item: DriftItem) => boolean) => items.filter(test).length;
  return {
    totalChanges: items.length,
    high: count(({ severity }) => severity === 'HIGH'),
    medium: count(({ severity }) => severity === 'MEDIUM'),
    low: count(({ severity }) => severity === 'LOW'),
    additions: count(({ changeType }) => changeType === 'addition'),
    removals: count(({ changeType }) => changeType === 'removal'),
    modifications: count(({ changeType }) => !['addition', 'removal'].includes(changeType)),
  };
}

type Draft = Omit<DriftItem, 'id'>;

function itemOf(change: Change, texts: DriftTexts): Draft {
  const shown = 'after' in change ? change.after : change.before;
  const symbolName = changedName(change, shown);
  const { severity, category, changeType, description, proposedUpdate } = judge(change, symbolName, texts);
  return {
    severity,
    category: change.owner === undefined ? category : 'member',
    changeType,
    symbolName,
    location: `${shown.path}:${shown.symbol.startLine}`,
    description,
    ...valuesOf(change),
    proposedUpdate,
    detectedBy: 'structural',
  };
}

/** Returns the old and new value: paths for a move, source text for any other change. */
function valuesOf(change: Change): Pick<Draft, 'oldValue' | 'newValue'> {
  const text = (placed: PlacedExport) => (change.kind === 'moved' ? placed.path : writtenText(placed));
  return {
    ...('before' in change && { oldValue: text(change.before) }),
    ...('after' in change && { newValue: text(change.after) }),
  };
}

type Judgement = Pick<Draft, 'severity' | 'category' | 'changeType' | 'description' | 'proposedUpdate'>;

function judge(change: Change, name: string, texts: DriftTexts): Judgement {
  const { kind } = ('after' in change ? change.after : change.before).symbol;
  const what = `${kind} ${name}`;
  const judged = (
    severity: Severity,
    changeType: Draft['changeType'],
    [description, update]: [string, string],
  ) => ({ severity, category: 'export', changeType, description, proposedUpdate: update }) as const;
  switch (change.kind) {
    case 'removed': {
      const severity = change.owner === undefined ? 'HIGH' : 'MEDIUM';
      return judged(severity, 'removal', [texts.removed(what), texts.removedUpdate(name)]);
    }
    case 'added':
      return judged('LOW', 'addition', [texts.added(what), texts.addedUpdate(name)]);
    case 'renamed': {
      const old = change.before.symbol.name;
      const description = texts.renamed(`${kind} ${old}`, name) + alsoMoved(change, texts);
      return judged('MEDIUM', 'rename', [description, texts.renamedUpdate(old, name)]);
    }
    case 'moved': {
      const { path } = change.after;
      const description = texts.moved(what, change.before.path, path);
      return judged('LOW', 'move', [description, texts.movedUpdate(name, path)]);
    }
    case 'signature': {
      const aspect = TYPE_KINDS.has(kind) ? 'type' : 'signature';
      const description = texts.changed(what, aspect) + alsoMoved(change, texts);
      const update = texts.changedUpdate(name, aspect);
      return { ...judged('MEDIUM', 'modification', [description, update]), category: aspect };
    }
  }
}

const TYPE_KINDS: ReadonlySet<string> = new Set(
  'type interface enum struct trait constant variable'.split(' '),
);

function alsoMoved(
  { before, after }: { before: PlacedExport; after: PlacedExport },
  texts: DriftTexts,
): string {
  return before.path === after.path ? '' : texts.alsoMoved(before.path, after.path);
}

type DriftReportTexts = Messages['drift']['report'];

const SEVERITIES: readonly Severity[] = ['HIGH', 'MEDIUM', 'LOW'];

/** Returns the report as Markdown. */
export function renderDriftReport(report: DriftReport, texts: DriftReportTexts): string {
  const { summary, items } = report;
  const { rows } = texts;
  const sections = SEVERITIES.map((severity) => {
    const found = items.filter((item) => item.severity === severity);
    const rendered = found.map((item) => renderItem(item, texts));
    return found.length === 0 ? '' : blocks(`## ${texts.severities[severity]}`, ...rendered);
  });
  const counts = `HIGH ${summary.high} / MEDIUM ${summary.medium} / LOW ${summary.low}`;
  return `${blocks(
    `# ${texts.title}`,
    markdownTable(
      [...texts.columns],
      [
        ['spec', inlineCode(report.specPath)],
        [rows.version, report.specVersion],
        [rows.source, inlineCode(report.sourcePath)],
        [rows.time, report.generatedAt],
        [rows.total, `${summary.totalChanges} (${counts})`],
        [rows.kinds, `${summary.additions} / ${summary.removals} / ${summary.modifications}`],
        [rows.noise, `${report.filteredNoise}`],
      ],
    ),
    texts.advice(report.recommendation),
    ...sections,
  )}\n`;
}

function renderItem(item: DriftItem, texts: DriftReportTexts): string {
  return blocks(
    `### ${item.id} ${inlineCode(item.symbolName)}`,
    `${item.description} (${inlineCode(item.location)}, ${item.category} / ${item.changeType})`,
    item.oldValue === undefined ? '' : `${texts.before}\n\n${fenced('', item.oldValue)}`,
    item.newValue === undefined ? '' : `${texts.now}\n\n${fenced('', item.newValue)}`,
    texts.update(item.proposedUpdate),
  );
}

import type { Messages } from '../words/messages/zh.ts';
import { type Change, type Comparison, type Placed, writtenText } from './change.ts';

export type DriftTexts = Messages['drift'];

export interface DriftItem {
  id: string;
  severity: Severity;
  category: 'export' | 'signature' | 'type' | 'member';
  changeType: 'addition' | 'removal' | 'modification' | 'rename' | 'move';
  symbolName: string;
  location: string;
  description: string;
  oldValue?: string;
  newValue?: string;
  proposedUpdate: string;
  detectedBy: 'structural';
}

export type Severity = 'HIGH' | 'MEDIUM' | 'LOW';

export interface DriftSummary {
  totalChanges: number;
  high: number;
  medium: number;
  low: number;
  additions: number;
  removals: number;
  modifications: number;
}

const RANK: Readonly<Record<Severity, number>> = { HIGH: 0, MEDIUM: 1, LOW: 2 };

/** The gravest first; ids follow the order, so the same drift always reads the same. */
export function itemsOf({ changes }: Comparison, texts: DriftTexts): DriftItem[] {
  return changes
    .map((change) => itemOf(change, texts))
    .sort((one, other) => RANK[one.severity] - RANK[other.severity] || order(one, other))
    .map((item, at) => ({ id: `drift-${String(at + 1).padStart(3, '0')}`, ...item }));
}

function order(one: Omit<DriftItem, 'id'>, other: Omit<DriftItem, 'id'>): number {
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
  switch (change.kind) {
    case 'removed':
      return removal(change.before, change.before.symbol.name, texts);
    case 'added':
      return addition(change.after, change.after.symbol.name, texts);
    case 'renamed':
      return renamed(change.before, change.after, texts);
    case 'moved':
      return moved(change.before, change.after, texts);
    case 'signature':
      return modification(change, change.after.symbol.name, texts);
    case 'member-removed':
      return {
        ...removal(change.before, memberName(change.owner, change.before), texts),
        severity: 'MEDIUM',
        category: 'member',
      };
    case 'member-added':
      return { ...addition(change.after, memberName(change.owner, change.after), texts), category: 'member' };
    case 'member-changed':
      return { ...modification(change, memberName(change.owner, change.after), texts), category: 'member' };
  }
}

function memberName(owner: string, { symbol }: Placed): string {
  return `${owner}.${symbol.name}`;
}

function at({ path, symbol }: Placed): string {
  return `${path}:${symbol.startLine}`;
}

function removal(before: Placed, symbolName: string, texts: DriftTexts): Draft {
  return {
    severity: 'HIGH',
    category: 'export',
    changeType: 'removal',
    symbolName,
    location: at(before),
    description: texts.removed(`${before.symbol.kind} ${symbolName}`),
    oldValue: writtenText(before),
    proposedUpdate: texts.removedUpdate(symbolName),
    detectedBy: 'structural',
  };
}

function addition(after: Placed, symbolName: string, texts: DriftTexts): Draft {
  return {
    severity: 'LOW',
    category: 'export',
    changeType: 'addition',
    symbolName,
    location: at(after),
    description: texts.added(`${after.symbol.kind} ${symbolName}`),
    newValue: writtenText(after),
    proposedUpdate: texts.addedUpdate(symbolName),
    detectedBy: 'structural',
  };
}

function renamed(before: Placed, after: Placed, texts: DriftTexts): Draft {
  const [old, now] = [before.symbol.name, after.symbol.name];
  const where = before.path === after.path ? '' : texts.alsoMoved(before.path, after.path);
  return {
    severity: 'MEDIUM',
    category: 'export',
    changeType: 'rename',
    symbolName: now,
    location: at(after),
    description: `${texts.renamed(`${after.symbol.kind} ${old}`, now)}${where}`,
    oldValue: writtenText(before),
    newValue: writtenText(after),
    proposedUpdate: texts.renamedUpdate(old, now),
    detectedBy: 'structural',
  };
}

function moved(before: Placed, after: Placed, texts: DriftTexts): Draft {
  return {
    severity: 'LOW',
    category: 'export',
    changeType: 'move',
    symbolName: after.symbol.name,
    location: at(after),
    description: texts.moved(`${after.symbol.kind} ${after.symbol.name}`, before.path, after.path),
    oldValue: before.path,
    newValue: after.path,
    proposedUpdate: texts.movedUpdate(after.symbol.name, after.path),
    detectedBy: 'structural',
  };
}

const TYPE_KINDS: ReadonlySet<string> = new Set([
  'type',
  'interface',
  'enum',
  'struct',
  'trait',
  'constant',
  'variable',
]);

function modification(
  { before, after }: { before: Placed; after: Placed },
  symbolName: string,
  texts: DriftTexts,
): Draft {
  const isType = TYPE_KINDS.has(after.symbol.kind);
  const aspect = isType ? 'type' : 'signature';
  const where = before.path === after.path ? '' : texts.alsoMoved(before.path, after.path);
  return {
    severity: 'MEDIUM',
    category: aspect,
    changeType: 'modification',
    symbolName,
    location: at(after),
    description: `${texts.changed(`${after.symbol.kind} ${symbolName}`, aspect)}${where}`,
    oldValue: writtenText(before),
    newValue: writtenText(after),
    proposedUpdate: texts.changedUpdate(symbolName, aspect),
    detectedBy: 'structural',
  };
}

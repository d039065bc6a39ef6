import { type Change, type Comparison, type Placed, writtenText } from './change.ts';

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
export function itemsOf({ changes }: Comparison): DriftItem[] {
  return changes
    .map(itemOf)
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

function itemOf(change: Change): Draft {
  switch (change.kind) {
    case 'removed':
      return removal(change.before, change.before.symbol.name);
    case 'added':
      return addition(change.after, change.after.symbol.name);
    case 'renamed':
      return renamed(change.before, change.after);
    case 'moved':
      return moved(change.before, change.after);
    case 'signature':
      return modification(change, change.after.symbol.name);
    case 'member-removed':
      return {
        ...removal(change.before, memberName(change.owner, change.before)),
        severity: 'MEDIUM',
        category: 'member',
      };
    case 'member-added':
      return { ...addition(change.after, memberName(change.owner, change.after)), category: 'member' };
    case 'member-changed':
      return { ...modification(change, memberName(change.owner, change.after)), category: 'member' };
  }
}

function memberName(owner: string, { symbol }: Placed): string {
  return `${owner}.${symbol.name}`;
}

function at({ path, symbol }: Placed): string {
  return `${path}:${symbol.startLine}`;
}

function removal(before: Placed, symbolName: string): Draft {
  return {
    severity: 'HIGH',
    category: 'export',
    changeType: 'removal',
    symbolName,
    location: at(before),
    description: `${before.symbol.kind} ${symbolName} 已从源代码中移除`,
    oldValue: writtenText(before),
    proposedUpdate: `从「接口定义」中删除 ${symbolName}，并检查引用它的业务逻辑描述`,
    detectedBy: 'structural',
  };
}

function addition(after: Placed, symbolName: string): Draft {
  return {
    severity: 'LOW',
    category: 'export',
    changeType: 'addition',
    symbolName,
    location: at(after),
    description: `新增 ${after.symbol.kind} ${symbolName}，spec 中没有记录`,
    newValue: writtenText(after),
    proposedUpdate: `在「接口定义」中补充 ${symbolName}`,
    detectedBy: 'structural',
  };
}

function renamed(before: Placed, after: Placed): Draft {
  const [old, now] = [before.symbol.name, after.symbol.name];
  const where = before.path === after.path ? '' : `（并从 ${before.path} 移到 ${after.path}）`;
  return {
    severity: 'MEDIUM',
    category: 'export',
    changeType: 'rename',
    symbolName: now,
    location: at(after),
    description: `${after.symbol.kind} ${old} 已重命名为 ${now}${where}`,
    oldValue: writtenText(before),
    newValue: writtenText(after),
    proposedUpdate: `将 spec 中的 ${old} 更名为 ${now}`,
    detectedBy: 'structural',
  };
}

function moved(before: Placed, after: Placed): Draft {
  return {
    severity: 'LOW',
    category: 'export',
    changeType: 'move',
    symbolName: after.symbol.name,
    location: at(after),
    description: `${after.symbol.kind} ${after.symbol.name} 已从 ${before.path} 移到 ${after.path}，签名未变`,
    oldValue: before.path,
    newValue: after.path,
    proposedUpdate: `将 ${after.symbol.name} 的位置更新为 ${after.path}`,
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

function modification({ before, after }: { before: Placed; after: Placed }, symbolName: string): Draft {
  const isType = TYPE_KINDS.has(after.symbol.kind);
  const what = isType ? '类型' : '签名';
  const where = before.path === after.path ? '' : `，并从 ${before.path} 移到 ${after.path}`;
  return {
    severity: 'MEDIUM',
    category: isType ? 'type' : 'signature',
    changeType: 'modification',
    symbolName,
    location: at(after),
    description: `${after.symbol.kind} ${symbolName} 的${what}已改变${where}`,
    oldValue: writtenText(before),
    newValue: writtenText(after),
    proposedUpdate: `按新的${what}更新「接口定义」中的 ${symbolName}`,
    detectedBy: 'structural',
  };
}

import { noTokens } from './document/front-matter.ts';
import { firstSentence } from './document/interface-section.ts';
import { inlineCode } from './document/markdown.ts';
import type { FileFacts, SpecFacts } from './facts.ts';
import type { Prose } from './prose.ts';
import type { SkeletonExport } from './skeleton.ts';
import type { SpecWriter } from './writer.ts';

/** Says what the sources themselves say: their comments and their shape. No network, no guesses. */
export const astOnlyWriter: SpecWriter = {
  model: 'ast-only',
  write: async ({ facts }) => ({
    prose: astProse(facts),
    tokenUsage: noTokens,
    confidence: 'low',
    warnings: [],
    degraded: false,
  }),
};

export function astProse(facts: SpecFacts): Prose {
  const prose: Record<keyof Prose, string> = {
    intent: intent(facts),
    businessLogic: logic(facts),
    dataStructures: '',
    constraints: sentences(facts, CONSTRAINT),
    edgeCases: sentences(facts, EDGE_CASE),
    technicalDebt: '',
    testCoverage: '',
    dependencies: '',
  };
  return Object.fromEntries(Object.entries(prose).filter(([, text]) => text !== ''));
}

/** What a file says about itself at its top; else what its first documented export says. */
function intent(facts: SpecFacts): string {
  const told = entryFilesFirst(facts.files).flatMap(({ skeleton, headComment }) => {
    const words = headComment ?? skeleton.exports.find(({ jsDoc }) => isProse(jsDoc))?.jsDoc;
    return words == null ? [] : [`- ${inlineCode(skeleton.filePath)}：${firstSentence(words)}`];
  });
  return [summary(facts), ...told.slice(0, MAX_FILES_TOLD)].join('\n');
}

/** A comment that is tags alone tells types, not intent. */
function isProse(doc: string | null): boolean {
  return doc !== null && !doc.startsWith('@');
}

const MAX_FILES_TOLD = 15;

function summary({ label, files }: SpecFacts): string {
  const kinds = new Map<string, number>();
  for (const { kind } of files.flatMap(({ skeleton }) => skeleton.exports))
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const counts = [...kinds]
    .sort(([, one], [, other]) => other - one)
    .map(([kind, count]) => `${count} 个 ${kind}`);
  const loc = files.reduce((sum, { skeleton }) => sum + skeleton.loc, 0);
  const offers = counts.length === 0 ? '没有导出符号' : `导出 ${counts.join('、')}`;
  return `${inlineCode(label)} 由 ${files.length} 个源文件组成，共 ${loc} 行，${offers}。\n`;
}

const ENTRY = /(?:^|\/)(?:index|main|mod|lib|__init__|app|server)\.[^/]+$/;

function entryFilesFirst(files: readonly FileFacts[]): FileFacts[] {
  const isEntry = ({ skeleton }: FileFacts) => ENTRY.test(skeleton.filePath);
  return [...files.filter(isEntry), ...files.filter((file) => !isEntry(file))];
}

const ACTIVE: ReadonlySet<string> = new Set(['function', 'class', 'method', 'default', 'impl', 'trait']);

function logic({ files }: SpecFacts): string {
  return files
    .flatMap(({ skeleton }) => {
      const steps = skeleton.exports.filter(({ kind, jsDoc }) => ACTIVE.has(kind) && isProse(jsDoc));
      if (steps.length === 0) return [];
      return [`**${inlineCode(skeleton.filePath)}**\n`, ...steps.map(step), ''];
    })
    .join('\n')
    .trim();
}

function step({ name, jsDoc, members }: SkeletonExport): string {
  const inner = (members ?? [])
    .filter((member) => member.jsDoc !== null)
    .map((member) => `  - ${inlineCode(member.name)}：${firstSentence(member.jsDoc ?? '')}`);
  return [`- ${inlineCode(name)}：${firstSentence(jsDoc ?? '')}`, ...inner].join('\n');
}

const CONSTRAINT =
  /\b(?:must|never|always|only|at most|at least|requires?|required|cannot|may not|should not|not allowed|immutable|invariant|thread-safe)\b|必须|不得|不能|禁止|只能|至少|至多|上限|仅/i;
const EDGE_CASE =
  /@throws|@raises|\b(?:throws?|raises?|panics?|rejects?|errors?|fails?|empty|null|undefined|none|nil|missing|overflow|out of range|timeout|fallback|otherwise)\b|抛出|为空|超时|失败|越界|缺失/i;

/** Sentences of doc comments that state a rule or an exception, with where they stand. */
function sentences({ files }: SpecFacts, pattern: RegExp): string {
  const found = files.flatMap(({ skeleton, headComment }) => [
    ...matching(headComment, pattern).map((text) => `- ${inlineCode(skeleton.filePath)}：${text}`),
    ...skeleton.exports
      .flatMap((each) => [each, ...(each.members ?? [])])
      .flatMap(({ name, jsDoc }) => matching(jsDoc, pattern).map((text) => `- ${inlineCode(name)}：${text}`)),
  ]);
  return [...new Set(found)].slice(0, MAX_SENTENCES).join('\n');
}

const MAX_SENTENCES = 100;

function matching(doc: string | null, pattern: RegExp): string[] {
  if (doc === null) return [];
  return doc
    .split(/(?<=[.!?。！？])\s+|\n{2,}|\n(?=\s*@)/)
    .filter((sentence) => pattern.test(sentence))
    .map((sentence) => firstSentence(sentence));
}

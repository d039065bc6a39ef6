import type { FileNote } from '../prepare/notes.ts';
import type { HeadingId, SectionId } from '../writing/document/section-ids.ts';
import type { RenewalReason } from '../writing/freshness.ts';

/** Everything a document says that is neither source nor prose, in one language. */
export interface Words {
  /** Titles of the sections, in their order. */
  sections: Readonly<Record<SectionId, string>>;
  headings: Readonly<Record<HeadingId, string>>;
  title(label: string): string;
  indexTitle: string;
  indexIntro(count: number): string;
  notWritten: string;
  nothing: string;
  listComma: string;
  noExports: string;
  brokenFile(problems: number): string;
  columns: Readonly<Record<ColumnId, string>>;
  internalKind(kind: string): string;
  reExports(count: number): string;
  /** Files of the module that are no sources. */
  otherFiles(paths: string): string;
  andMoreFiles(shown: string, count: number): string;
  andMorePlaces(shown: string, count: number): string;
  syntaxError: string;
  /** Why a file was not read. */
  note(note: FileNote): string;
  noIntent: string;
  /** Names a module declares. */
  declares(names: string): string;
  /** Where short paths begin. */
  pathsBelow(folder: string): string;
  arrowsAreCalls: string;
  noEdges: string;
  /** Arrows that follow from others. */
  arrowsLeftOut(count: number): string;
  nodesLeftOut(count: number): string;
  facts: FactWords;
  testedExports(named: number, all: number): string;
  untested(names: string): string;
  /** Why a document was written again. */
  reasons: Readonly<Record<RenewalReason, string>>;
  outcomes: Readonly<Record<'written' | 'degraded' | 'failed' | 'skipped' | 'unaffordable', string>>;
  summary: {
    title: string;
    time(moment: string, seconds: number): string;
    counts(counts: BatchCounts): string;
  };
  /** What a reader is told about text of theirs the tool would have written differently. */
  conflicts: {
    intro: string;
    edited(section: string): string;
    marked(section: string): string;
    differs(section: string): string;
    orphaned(place: string): string;
  };
}

/** How facts of the syntax tree are put; every part is already Markdown. */
export interface FactWords {
  calls(caller: string, called: string): string;
  checked(owner: string, error: string): string;
  raised(owner: string, error: string): string;
  when(condition: string): string;
  unless(condition: string): string;
  /** In the clause that catches an error. */
  inside(clause: string): string;
  anError: string;
  message(text: string): string;
  limit(name: string, value: string): string;
  environment(name: string): string;
  file(owner: string, call: string, path: string): string;
  address(name: string): string;
  deprecated: string;
  suppressed: string;
  more(count: number): string;
}

export interface BatchCounts {
  totalModules: number;
  successful: number;
  failed: number;
  skipped: number;
  degraded: number;
}

export type ColumnId =
  | 'module'
  | 'fileCount'
  | 'outcome'
  | 'why'
  | 'confidence'
  | 'name'
  | 'kind'
  | 'members'
  | 'place'
  | 'remark'
  | 'file'
  | 'insideModule'
  | 'insideProject'
  | 'externalModule'
  | 'usedBy'
  | 'language'
  | 'lineCount'
  | 'exports'
  | 'note'
  | 'mark'
  | 'content'
  | 'export'
  | 'tests';

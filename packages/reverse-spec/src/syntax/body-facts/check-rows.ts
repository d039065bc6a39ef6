import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { Node } from './node.ts';
import { scriptLanguages } from './node-kinds.ts';
import { isOwnMethod } from './node-words.ts';

/**
 * Functions that check a value or raise an error, per language: `require` checks in Kotlin and imports in
 * CommonJS. The tests contain examples of each row.
 */
interface CheckRow {
  languages: readonly string[];
  kind: 'check' | 'raise';
  /** Pattern of the whole callee, including the `!` of a Rust macro. */
  callee: RegExp;
}

export const CHECK_ROWS: readonly CheckRow[] = [
  { languages: scriptLanguages, kind: 'check', callee: /^(?:assert|assert\.\w+|invariant|tiny?Invariant)$/ },
  {
    languages: ['java'],
    kind: 'check',
    callee: /^(?:Objects\.)?(?:requireNonNull|requireNonNullElse|checkIndex|checkFromToIndex)$/,
  },
  {
    languages: ['java', 'kotlin'],
    kind: 'check',
    callee: /^(?:Preconditions\.)?check(?:NotNull|Argument|State|ElementIndex|PositionIndex)$/,
  },
  { languages: ['kotlin'], kind: 'check', callee: /^(?:require|requireNotNull|check|checkNotNull)$/ },
  { languages: ['kotlin'], kind: 'raise', callee: /^(?:error|TODO)$/ },
  { languages: ['rust'], kind: 'check', callee: /^assert(?:_eq|_ne)?!$|^ensure!$/ },
  { languages: ['rust'], kind: 'raise', callee: /^(?:panic|unreachable|todo|unimplemented|bail)!$/ },
  { languages: ['go'], kind: 'raise', callee: /^(?:panic|log\.(?:Fatal|Panic)(?:f|ln)?)$/ },
  { languages: ['c', 'cpp'], kind: 'check', callee: /^assert$/ },
  { languages: ['c', 'cpp'], kind: 'raise', callee: /^(?:abort|std::abort|std::terminate)$/ },
  {
    languages: ['csharp'],
    kind: 'check',
    callee:
      /^(?:ArgumentNullException|ArgumentException|ArgumentOutOfRangeException|ObjectDisposedException)\.ThrowIf\w+$|^Debug\.Assert$/,
  },
  { languages: ['swift'], kind: 'check', callee: /^(?:precondition|assert)$/ },
  { languages: ['swift'], kind: 'raise', callee: /^(?:fatalError|preconditionFailure|assertionFailure)$/ },
  { languages: ['php'], kind: 'check', callee: /^assert$|^Assert::\w+$/ },
  { languages: ['ruby'], kind: 'raise', callee: /^(?:raise|fail)$/ },
];

const CHECKS_BY_LANGUAGE = grouped(
  CHECK_ROWS.flatMap((row) => row.languages.map((language) => [language, row] as const)),
);

/** Returns the row for a call; undefined if the enclosing type has a method of this name. */
export function checkRowOf(language: string, callee: string, node: Node): CheckRow | undefined {
  const row = CHECKS_BY_LANGUAGE.get(language)?.find((each) => each.callee.test(callee));
  return row !== undefined && isOwnMethod(node, callee) ? undefined : row;
}

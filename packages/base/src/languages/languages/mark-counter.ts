import type { Language } from './language.ts';

/** Finds the language that shows most of its marks in some lines, the earlier one in a tie; with fewer than two it would be a coin toss. */
export function markCounter<Known extends Language>(
  languages: readonly Known[],
): (lines: readonly string[]) => Known | undefined {
  const beginnings = new Set(languages.flatMap(({ hints }) => hints.filter(isBeginning)));
  // Most lines begin with none of them, and one expression says so three times as fast as all of them.
  const anyBeginning = new RegExp([...beginnings].map(({ source }) => source).join('|'));
  const ordered = languages.map((language) => ({ language, hints: cheapestFirst(language.hints) }));
  return (lines) => {
    const begun = lines.filter((line) => anyBeginning.test(line));
    // Languages share marks: each is looked for once.
    const seen = new Map<RegExp, boolean>();
    const isSeen = (hint: RegExp) => {
      const found = seen.get(hint) ?? (beginnings.has(hint) ? begun : lines).some((line) => hint.test(line));
      seen.set(hint, found);
      return found;
    };
    let best: Known | undefined;
    let most = 1;
    for (const { language, hints } of ordered) {
      const marks = countMarks(hints, isSeen, most);
      if (marks > most) [best, most] = [language, marks];
    }
    return best;
  };
}

function isBeginning({ source }: RegExp): boolean {
  return source.startsWith('^');
}

function cheapestFirst(hints: readonly RegExp[]): RegExp[] {
  return [...hints].sort((a, b) => Number(isBeginning(b)) - Number(isBeginning(a)));
}

/** Counts the marks that are seen; stops once the count cannot exceed `most` any more. */
function countMarks(hints: readonly RegExp[], isSeen: (hint: RegExp) => boolean, most: number): number {
  let marks = 0;
  for (const [index, hint] of hints.entries()) {
    if (marks + hints.length - index <= most) break;
    if (isSeen(hint)) marks += 1;
  }
  return marks;
}

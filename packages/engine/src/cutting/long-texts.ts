/** Long texts in which more units count as unrelated: files too long for a shell, documents that seem related all over. */

import { rareWordsIn } from '../ranking/named-lines.ts';
import type { Needs } from '../ranking/need.ts';
import type { Document, FormatName, Unit } from '../reading/document.ts';
import type { Origin } from '../request.ts';

export interface Relatedness {
  isUnrelated(unit: Unit): boolean;
  needs(): Needs;
  readonly words: string;
}

/** Returns whether a unit is unrelated, with the rules for long texts. */
export function unrelatedInLong(
  origin: Origin | undefined,
  document: Document,
  relatedness: Relatedness,
): (unit: Unit) => boolean {
  return document.format === 'code' && origin?.kind === 'command'
    ? unrelatedUntilItFits(document, relatedness)
    : unrelatedIfAllMatch(document, relatedness);
}

/** Shells of clients show 30,000 characters of an output and leave out its middle. */
const MAX_SHELL_CHARS = 29_000;
/**
 * Strength below which functions are removed first. In 287 files above 30,000 characters before a fix, all lines of the
 * fix were then shown in 64 %. If the client left out the middle instead, they were in 52 %.
 */
const MAX_FOLDED_STRENGTH = 0.2;

/** Counts the weakest functions of a file as unrelated until the rest fits into the output of a shell. */
function unrelatedUntilItFits(
  { units, lines }: Document,
  { isUnrelated, needs }: Relatedness,
): (unit: Unit) => boolean {
  const lengthOf = (from: number, to: number) =>
    lines.slice(from, to).reduce((sum, { length }) => sum + length + 1, 0);
  const bodyOf = ({ head, end }: Unit) => lengthOf(head, end);
  const related = innermost(units).filter((unit) => !isUnrelated(unit));
  const folded = innermost(units).filter(isUnrelated);
  let characters = folded.reduce((left, unit) => left - bodyOf(unit), lengthOf(0, lines.length));
  const weakest = related
    .map((unit) => ({ unit, strength: needs().best(unit.start, unit.end) }))
    .filter(({ strength }) => strength < MAX_FOLDED_STRENGTH)
    .sort((a, b) => a.strength - b.strength || a.unit.start - b.unit.start);
  const further = new Set<Unit>();
  for (const { unit } of weakest) {
    if (characters <= MAX_SHELL_CHARS) break;
    further.add(unit);
    characters -= bodyOf(unit);
  }
  return (unit) => isUnrelated(unit) || further.has(unit);
}

/** Formats whose texts consist of sections. */
const IN_PARTS: ReadonlySet<FormatName> = new Set<FormatName>(['document', 'markup']);
const MIN_LONG_CHARS = 16_000;
/** If a larger share of a long document seems related, the words of the request do not distinguish its parts. */
const MAX_RELATED_SHARE = 0.8;
/** Units with a line of at least this strength stay anyway. */
const MIN_STRONGEST = 0.5;

/** Decides by the rare words of the request if nearly all units of a long document are related to it. */
function unrelatedIfAllMatch(
  { format, units, bare }: Document,
  { isUnrelated, needs, words }: Relatedness,
): (unit: Unit) => boolean {
  const parts = IN_PARTS.has(format) ? innermost(units) : [];
  const lengthOf = ({ start, end }: Unit) =>
    bare.slice(start - 1, end).reduce((sum, { length }) => sum + length + 1, 0);
  const characters = parts.reduce((sum, part) => sum + lengthOf(part), 0);
  if (characters < MIN_LONG_CHARS) return isUnrelated;
  const related = parts.reduce((sum, part) => sum + (isUnrelated(part) ? 0 : lengthOf(part)), 0);
  if (related < MAX_RELATED_SHARE * characters) return isUnrelated;
  const holdsRare = rareWordsIn(bare, words, sectionsOf(units));
  if (holdsRare === undefined) return isUnrelated;
  return (unit) =>
    isUnrelated(unit) || !(holdsRare(unit) || needs().best(unit.start, unit.end) >= MIN_STRONGEST);
}

function innermost(units: readonly Unit[]): Unit[] {
  return units.flatMap((unit) => {
    const inner = innermost(unit.children ?? []);
    return inner.length > 0 || unit.rule !== 'unrelated-units' ? inner : [unit];
  });
}

/** Returns the innermost sections, or the parts of a text without headings. */
function sectionsOf(units: readonly Unit[]): Unit[] {
  const isSection = ({ kind }: Unit) => kind === 'section';
  return units.flatMap((unit) => {
    const inner = (unit.children ?? []).filter(isSection);
    return inner.length > 0 ? sectionsOf(inner) : [unit];
  });
}

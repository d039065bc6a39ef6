import { matcherOf } from '../../text/glob.ts';
import type { Baseline } from '../writing/document/baseline.ts';
import type { Change, Comparison, Placed } from './change.ts';
import { compareBaselines, openAll } from './compare.ts';
import type { DriftRules } from './rules.ts';
import { stripFile } from './strip.ts';
import { publicOnly, publicTypes } from './visibility.ts';

/** The changes that count under the rules of a repository; the others are noise. */
export function compareUnderRules(before: Baseline, after: Baseline, rules: DriftRules): Comparison {
  const [old, now] = [openAll(before), openAll(after)];
  const types = publicTypes([old, now]);
  const seen = (baseline: Baseline) =>
    stripped(rules.visibility === 'all' ? baseline : publicOnly(baseline, types), rules);
  const { changes, noise } = compareBaselines(seen(old), seen(now));
  const isIgnored = ignoredBy(rules);
  const kept = changes.filter((change) => !isIgnored(change));
  return { changes: kept, noise: noise + changes.length - kept.length };
}

function stripped(baseline: Baseline, { ignore }: DriftRules): Baseline {
  const kinds = new Set(ignore);
  return { ...baseline, files: baseline.files.map((file) => stripFile(file, kinds)) };
}

function ignoredBy({ ignorePaths, ignoreSymbols }: DriftRules): (change: Change) => boolean {
  const paths = ignorePaths.map(matcherOf);
  const symbols = ignoreSymbols.map(matcherOf);
  return (change) => {
    const placed = placesOf(change);
    return (
      placed.some(({ path }) => paths.some((matches) => matches(path))) ||
      placed.some((each) => symbols.some((matches) => matches(nameOf(change, each))))
    );
  };
}

function placesOf(change: Change): Placed[] {
  return [...('before' in change ? [change.before] : []), ...('after' in change ? [change.after] : [])];
}

function nameOf(change: Change, { symbol }: Placed): string {
  return 'owner' in change ? `${change.owner}.${symbol.name}` : symbol.name;
}

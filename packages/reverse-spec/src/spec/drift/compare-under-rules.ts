import { matcherOf } from '@secateur/base/text/glob.ts';
import type { Baseline } from '../writing/document/baseline.ts';
import { type Change, type Comparison, nameOf } from './change.ts';
import { compareBaselines, openAll } from './compare.ts';
import type { DriftRules } from './rules.ts';
import { stripFile } from './strip.ts';
import { publicOnly, publicTypes } from './visibility.ts';

/** The changes that count under the rules of a repository; the others are noise. */
export function compareUnderRules(before: Baseline, after: Baseline, rules: DriftRules): Comparison {
  const [old, now] = [openAll(before), openAll(after)];
  const types = publicTypes([old, now]);
  const ignored = new Set(rules.ignore);
  const seen = (baseline: Baseline) => {
    const visible = rules.visibility === 'all' ? baseline : publicOnly(baseline, types);
    return { ...visible, files: visible.files.map((file) => stripFile(file, ignored)) };
  };
  const { changes, noise } = compareBaselines(seen(old), seen(now));
  const isIgnored = ignoredBy(rules);
  const kept = changes.filter((change) => !isIgnored(change));
  return { changes: kept, noise: noise + changes.length - kept.length };
}

function ignoredBy({ ignorePaths, ignoreSymbols }: DriftRules): (change: Change) => boolean {
  const paths = ignorePaths.map(matcherOf);
  const symbols = ignoreSymbols.map(matcherOf);
  return (change) => {
    const placed = [
      ...('before' in change ? [change.before] : []),
      ...('after' in change ? [change.after] : []),
    ];
    return placed.some(
      (each) =>
        paths.some((matches) => matches(each.path)) ||
        symbols.some((matches) => matches(nameOf(change, each))),
    );
  };
}

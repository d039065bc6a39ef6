/** Our own situations, free of texts of others: made by hand and by small builders, the same in every run. */
import type { Situation } from './situation.ts';
import { DATA } from './situations/data.ts';
import { LARGE } from './situations/large.ts';
import { LISTINGS } from './situations/listings.ts';
import { REPORTS } from './situations/reports.ts';
import { RUNS } from './situations/runs.ts';
import { SOURCES } from './situations/sources.ts';

export const OWN_SITUATIONS: readonly Situation[] = [
  ...LISTINGS,
  ...DATA,
  ...SOURCES,
  ...RUNS,
  ...REPORTS,
  ...LARGE,
];

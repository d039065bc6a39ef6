/** Listings, history and searches: what was asked for precisely. */
import type { Situation } from '../situation.ts';
import { dice, padded, situation, times } from './draft.ts';

const backups = (() => {
  const { below } = dice('backups');
  const rows = times(46, (at) => {
    const size = at === 29 ? 0 : 48_000_000 + below(900_000);
    const name = `orders-2026-${padded(9 + Math.floor(at / 24))}-${padded(1 + (at % 24))}.dump.gz`;
    return `-rw-r----- 1 postgres postgres ${String(size).padStart(9)} ${at < 24 ? 'Sep' : 'Oct'} ${padded(1 + (at % 24))} 03:15 ${name}`;
  });
  return ['total 2254812', ...rows].join('\n');
})();

const MODULES =
  'billing catalog checkout customer invoice ledger mailer notice pricing report search shipping stock tax'.split(
    ' ',
  );

/** A listing of more than 16,000 characters. */
const sourceFiles = (() => {
  const { below } = dice('files');
  const rows = MODULES.flatMap((module) =>
    times(34, (at) => {
      const size = module === 'pricing' && at === 20 ? 412_118 : 900 + below(14_000);
      return `${String(size).padStart(8)} ./packages/${module}/src/${module}-${['query', 'event', 'model', 'route'][at % 4]}-${padded(at)}.ts`;
    }),
  );
  return rows.join('\n');
})();

const history = (() => {
  const { hex, phrase, pick } = dice('history');
  return times(90, (at) => {
    const subject =
      at === 37
        ? 'Revert "cache exchange rates for an hour"'
        : `${pick(['fix', 'feat', 'chore', 'docs'])}: ${phrase(5)}`;
    return `${hex(9)} 2026-${padded(10 - Math.floor(at / 20))}-${padded(28 - (at % 20))} ${subject}`;
  }).join('\n');
})();

const branches = [
  '  develop',
  ...times(28, (at) => `  feature/SHOP-${410 + at * 3}-${dice(`branch${at}`).phrase(2).replace(' ', '-')}`),
  '* main',
  ...times(14, (at) => `  remotes/origin/release/4.${at}`),
  '  remotes/origin/HEAD -> origin/main',
].join('\n');

const renameHits = MODULES.flatMap((module, at) =>
  times(
    1 + (at % 4),
    (hit) =>
      `packages/${module}/src/index.ts:${14 + hit * 31}:  const total = computeTotal(cart.lines${hit > 0 ? `, rates[${hit}]` : ''});`,
  ),
).join('\n');

const headings = [
  ...MODULES.flatMap((module) => [
    `packages/${module}/src/${module}.ts`,
    ...times(5, (at) => `${20 + at * 17}:    logger.warn('${module}: ${dice(`${module}${at}`).phrase(4)}');`),
    '',
  ]),
  'packages/stock/src/reserve.ts',
  "88:      logger.error('stock: reservation of a negative quantity');",
].join('\n');

/** Search results of more than 16,000 characters. */
const environmentHits = (() => {
  const { phrase, below } = dice('environment');
  const hits = MODULES.flatMap((module) =>
    times(
      26,
      (at) =>
        `packages/${module}/src/${module}-${padded(at)}.ts:${10 + below(300)}:  const value = process.env.${module.toUpperCase()}_${padded(at)} ?? '${phrase(3)}';`,
    ),
  );
  hits.splice(
    201,
    0,
    "packages/mailer/src/transport.ts:41:  const host = process.env.SMTP_RELAY_HOST ?? 'localhost';",
  );
  return hits.join('\n');
})();

export const LISTINGS: readonly Situation[] = [
  situation({
    id: 'backup-empty',
    area: 'listings',
    task: 'La restauration de septembre ou octobre a échoué : quelle sauvegarde est vide ?',
    said: 'Je regarde les tailles.',
    tool: 'Bash',
    command: 'ls -l /var/backups/orders',
    output: backups,
    needed: ['        0 Oct 06'],
    why: 'One file has a size of zero.',
  }),
  situation({
    id: 'source-largest',
    area: 'listings',
    task: 'Which source file is by far the largest? It breaks the editor.',
    said: 'Looking at the sizes.',
    tool: 'Bash',
    command: "find . -name '*.ts' -printf '%8s %p\\n'",
    output: sourceFiles,
    needed: ['412118'],
    why: 'The largest of 476 rows.',
  }),
  situation({
    id: 'history-revert',
    area: 'git',
    task: 'Who took the caching of exchange rates out again, in which commit?',
    said: 'Looking at the history.',
    tool: 'Bash',
    command: "git log --format='%h %ad %s' --date=short -90",
    output: history,
    needed: ['Revert "cache exchange rates'],
    why: 'One subject of the history.',
  }),
  situation({
    id: 'branch-newest',
    area: 'git',
    task: '把这个修复移植到最新的发布分支。最新的是哪一个？',
    said: '列出分支。',
    tool: 'Bash',
    command: 'git branch -a',
    output: branches,
    needed: ['release/4.13'],
    why: 'The highest release number.',
  }),
  situation({
    id: 'rename-compute-total',
    area: 'searches',
    task: 'Rename computeTotal to totalOf everywhere.',
    said: 'Every place that calls it:',
    tool: 'Bash',
    command: 'grep -rn computeTotal packages',
    output: renameHits,
    needed: 'all',
    why: 'Every hit has to change.',
  }),
  situation({
    id: 'search-negative',
    area: 'searches',
    task: 'Where do we log an error about a negative quantity?',
    said: 'Searching for log calls.',
    tool: 'Grep',
    path: 'packages',
    pattern: 'logger\\.(warn|error)',
    output: headings,
    needed: ['packages/stock/src/reserve.ts', 'negative quantity'],
    why: 'The hit with the file it is in.',
  }),
  situation({
    id: 'search-smtp',
    area: 'searches',
    task: 'Which variable sets the mail relay, SMTP_RELAY_HOST or SMTP_HOST? What is its default?',
    said: 'All uses of the environment:',
    tool: 'Bash',
    command: "rg -n 'process\\.env' packages",
    output: environmentHits,
    needed: ['SMTP_RELAY_HOST'],
    why: 'The hit that the request names.',
  }),
];

import { interval, mean } from './figures.ts';

/** One example at one ratio. */
export interface RealRow {
  set: string;
  group: string;
  ratio: number;
  ours: number;
  rivals: Record<string, number>;
  /** Our own pruner with BM25 in place of the network, at about as many characters, and how many those were. */
  byWords: number;
  byWordsCharacters: number;
  /** Shares of the original that the answer has. */
  characters: number;
  tokens: number;
}

export interface RankedRow {
  set: string;
  ours: number[];
  lexical: number[];
}

const figure = (value: number) => value.toFixed(3).replace(/^0/, '').replace(/^-0/, '-');

export function printReal(rows: readonly RealRow[]): void {
  const rivals = Object.keys(rows[0]?.rivals ?? {});
  console.log('\n### Real output of prune_text\n');
  console.log(
    'Recall of gold lines; 95 % intervals by resampling groups. Rivals get as many characters, markers counted.\n',
  );
  console.log(
    `| set | ratio | n | characters kept | tokens kept | Sécateur | all gold kept | ${rivals.join(' | ')} | gain over BM25 | our pruner with BM25 (characters) |`,
  );
  console.log(`|---|---|---|---|---|---|---|${rivals.map(() => '---|').join('')}---|---|`);
  for (const set of new Set(rows.map((row) => row.set))) {
    for (const ratio of new Set(rows.map((row) => row.ratio))) {
      printSet(
        rows.filter((row) => row.set === set && row.ratio === ratio),
        rivals,
      );
    }
  }
}

function printSet(rows: readonly RealRow[], rivals: readonly string[]): void {
  const [first] = rows;
  if (first === undefined) return;
  const groups = rows.map((row) => row.group);
  const ours = rows.map((row) => row.ours);
  const gains = rows.map((row) => row.ours - (row.rivals.BM25 ?? 0));
  const whole = rows.map((row) => (row.ours === 1 ? 1 : 0));
  const others = rivals.map((name) => figure(mean(rows.map((row) => row.rivals[name] ?? 0))));
  const cells = [
    first.set,
    String(first.ratio).slice(1),
    rows.length,
    figure(mean(rows.map((row) => row.characters))),
    figure(mean(rows.map((row) => row.tokens))),
    `**${figure(mean(ours))}** (${interval(ours, groups).map(figure).join('–')})`,
    figure(mean(whole)),
    ...others,
    `${figure(mean(gains))} (${interval(gains, groups).map(figure).join(' to ')})`,
    `${figure(mean(rows.map((row) => row.byWords)))} (${figure(mean(rows.map((row) => row.byWordsCharacters)))})`,
  ];
  console.log(`| ${cells.join(' | ')} |`);
}

export function printRanking(rows: readonly RankedRow[]): void {
  console.log('\n### Ranking alone\n');
  console.log(
    '| set | n | lines .5 / .7 / .9 pruned | characters .5 / .7 / .9 | BM25 lines | BM25 characters |',
  );
  console.log('|---|---|---|---|---|---|');
  const means: { ours: number[]; lexical: number[] }[] = [];
  for (const set of new Set(rows.map((row) => row.set))) {
    const mine = rows.filter((row) => row.set === set);
    const summary = {
      ours: columnMeans(mine.map((row) => row.ours)),
      lexical: columnMeans(mine.map((row) => row.lexical)),
    };
    means.push(summary);
    printRanked(set, mine.length, summary);
  }
  printRanked('**macro**', rows.length, {
    ours: columnMeans(means.map((entry) => entry.ours)),
    lexical: columnMeans(means.map((entry) => entry.lexical)),
  });
}

function printRanked(
  set: string,
  count: number,
  { ours, lexical }: { ours: number[]; lexical: number[] },
): void {
  const three = (values: number[], from: number) =>
    values
      .slice(from, from + 3)
      .map(figure)
      .join(' / ');
  console.log(
    `| ${set} | ${count} | ${three(ours, 0)} | ${three(ours, 3)} | ${three(lexical, 0)} | ${three(lexical, 3)} |`,
  );
}

function columnMeans(rows: readonly number[][]): number[] {
  return (rows[0] ?? []).map((_, at) => mean(rows.map((row) => row[at] ?? 0)));
}

/** Counts of one comparison between what we read and what a language's own tool reports. */
export class Tally {
  files = 0;
  namesRight = 0;
  namesInvented = 0;
  namesMissed = 0;
  signaturesRight = 0;
  signatures = 0;
  readonly examples: string[] = [];

  names(where: string, ours: ReadonlySet<string>, theirs: ReadonlySet<string>): void {
    for (const name of ours) {
      if (theirs.has(name)) this.namesRight++;
      else this.#note(++this.namesInvented, `${where}: invented ${name}`);
    }
    for (const name of theirs) {
      if (!ours.has(name)) this.#note(++this.namesMissed, `${where}: missed ${name}`);
    }
  }

  signature(where: string, isRight: boolean, expected: string): void {
    this.signatures++;
    if (isRight) this.signaturesRight++;
    else this.#note(this.signatures - this.signaturesRight, `${where}: expected ${expected.slice(0, 200)}`);
  }

  #note(_count: number, example: string): void {
    if (this.examples.length < 400) this.examples.push(example);
  }

  get precision(): number {
    return ratio(this.namesRight, this.namesRight + this.namesInvented);
  }

  get recall(): number {
    return ratio(this.namesRight, this.namesRight + this.namesMissed);
  }

  get exact(): number {
    return ratio(this.signaturesRight, this.signatures);
  }

  add(other: Tally): void {
    this.files += other.files;
    this.namesRight += other.namesRight;
    this.namesInvented += other.namesInvented;
    this.namesMissed += other.namesMissed;
    this.signaturesRight += other.signaturesRight;
    this.signatures += other.signatures;
    this.examples.push(...other.examples);
  }

  row(label: string): string {
    const share = (value: number) => value.toFixed(4);
    const names = this.namesRight + this.namesMissed;
    return `| ${label} | ${this.files} | ${names} | ${share(this.precision)} | ${share(this.recall)} | ${this.signatures} | ${share(this.exact)} |`;
  }
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 1 : part / whole;
}

export const TABLE_HEAD = [
  '| corpus | files | names | precision | recall | signatures | exact |',
  '|---|---|---|---|---|---|---|',
];

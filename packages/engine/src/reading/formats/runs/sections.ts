/** Steps of a CI log or build: a heading and what it printed. Steps without trouble or a result may go as a whole. */
import type { Unit } from '../../document.ts';
import { namesTrouble, statesResult } from '../../trouble.ts';
import { type Marks, unitsOfMarks } from './marks.ts';

const HEADING =
  /^(?:##\[(?:group|section)\](\S.{0,200})|travis_fold:start:(\S{1,100})|\$ (\S.{0,200})|\[INFO\] --- (\S.{0,150}) ---|> Task (:\S{1,150})|Step \d+\/\d+ : (\S.{0,200})|#\d+ (\[[^\]]{1,40}\] \S.{0,200})|section_start:\d+:(\w{1,80})|##\[command\](\S.{0,200})|Run (\S.{0,200})|(Worker|Build system) information$)/;
const END = /^(?:##\[endgroup\]|travis_fold:end:|section_end:\d+:)/;

const MIN_LINES = 4;
const MAX_NAME = 60;

export interface Section {
  readonly name: string;
  /** 0-based, inclusive. */
  readonly from: number;
  readonly to: number;
}

/** Returns the units of a run: sections with their units inside, and the units between sections. */
export function unitsBySection(lines: readonly string[], marks: Marks, sections: readonly Section[]): Unit[] {
  const units: Unit[] = [];
  let next = 0;
  for (const section of sections) {
    if (!isQuiet(lines, section)) continue;
    units.push(...unitsOfMarks(marks, { from: next, to: section.from - 1 }));
    const children = unitsOfMarks(marks, { from: section.from + 1, to: section.to });
    units.push(sectionUnit(section, children));
    next = section.to + 1;
  }
  units.push(...unitsOfMarks(marks, { from: next, to: lines.length - 1 }));
  return units;
}

/** What CI services print of themselves before and after the work: machines, caches, checkouts, packages. */
const SERVICE =
  /^(?:system_info|worker_info|Worker$|Build system$|git (?:clone|fetch|checkout|submodule)\b|(?:sudo )?(?:-E )?apt-get |cache\.\d|git\.|apt|resolvconf|after_success|Operating System|Virtual Environment|Runner Image|Getting Git|Initializing the repository|GITHUB_TOKEN Permissions|Disabling automatic garbage|Determining the checkout|Fetching the repository|Setting up auth|Prepare all required)/;

function sectionUnit({ name, from, to }: Section, children: readonly Unit[]): Unit {
  const rule = SERVICE.test(name) ? 'progress' : 'unrelated-units';
  const unit: Unit = { kind: 'section', rule, name, start: from + 1, end: to + 1, head: from + 1 };
  return children.length > 0 ? { ...unit, children } : unit;
}

/** Lists sections: from a heading to the line before the next heading or end. */
export function* sectionsIn(lines: readonly string[]): Generator<Section> {
  let open: { name: string; from: number } | undefined;
  for (let index = 0; index <= lines.length; index += 1) {
    const line = (lines[index] ?? '').slice(0, 250);
    const heading = HEADING.exec(line);
    if (heading === null && !END.test(line) && index < lines.length) continue;
    if (open !== undefined && index - open.from >= MIN_LINES) yield { ...open, to: index - 1 };
    const name = heading?.slice(1).find((each) => each !== undefined);
    open = name === undefined ? undefined : { name: name.slice(0, MAX_NAME), from: index };
  }
}

function isQuiet(lines: readonly string[], { name, from, to }: Section): boolean {
  if (/^(?:system_info|worker_info|Worker$|Build system$)/.test(name)) return true;
  for (let index = from; index <= to; index += 1) {
    const line = lines[index] ?? '';
    if (namesTrouble(line) || statesResult(line)) return false;
  }
  return true;
}

/**
 * Output of builds, installers, downloads and CI jobs: npm, pip, cargo, make, cmake, compilers, bundlers,
 * docker, apt, Maven, Gradle. Progress and similar lines are removed; warnings, errors and results are kept.
 */

import type { Format, Sample } from '../document.ts';
import { withoutTimes } from '../marks.ts';
import { isProgress } from './build/progress.ts';
import { runUnits } from './runs/run-units.ts';

/** Examples: short outputs of builds, installers and CI jobs, and texts that only look like one. */

const PIP = `Collecting requests
  Downloading requests-2.32.3-py3-none-any.whl (64 kB)
Collecting idna<4,>=2.5
  Using cached idna-3.10-py3-none-any.whl (70 kB)
Installing collected packages: idna, requests
Successfully installed idna-3.10 requests-2.32.3`;

const ACTIONS = `2026-03-01T10:00:01.1234567Z ##[group]Run actions/checkout@v4
2026-03-01T10:00:01.2234567Z with:
2026-03-01T10:00:01.3234567Z   fetch-depth: 1
2026-03-01T10:00:01.4234567Z ##[endgroup]
2026-03-01T10:00:09.1234567Z ##[error]Process completed with exit code 2.`;

const PROSE = `Compiling the list of guests took a week.
Downloading it took a second.
The rest of the evening was quiet.`;

/** Matches lines that only a build, an installer or a CI service prints. */
const TOOL = new RegExp(
  [
    String.raw`^travis_(?:fold|time):|^Build system information$|^##\[(?:group|section|command|error|warning)\]|^section_start:\d+:`,
    String.raw`^npm (?:ERR!|error|warn|WARN|notice) |^(?:added|removed|changed|up to date)\b.{0,80} packages?\b`,
    String.raw`^\[INFO\] (?:Scanning for projects|BUILD|Total time|-{5,})|^BUILD (?:SUCCESSFUL|FAILED)|^\d+ actionable tasks?`,
    String.raw`^\S{1,200}:\d+:\d+: (?:fatal error|error|warning|note): |^make(?:\[\d+\])?: \*\*\* |^ninja: `,
    String.raw`^(?:error|warning)(?:\[E\d+\])?: |^\s+--> \S+:\d+:\d+$|^\S{1,200}\(\d+,\d+\): error TS\d+: `,
    String.raw`^-- (?:The \w+ compiler identification|Configuring done|Build files have been written)`,
    String.raw`^(?:webpack \d|vite v\d|Successfully (?:installed|built|tagged) )|^Sending build context to Docker`,
    String.raw`^✖ \d+ problems?|^\s+\d+:\d+\s+(?:error|warning)\s|^\S{1,200}:\d+:\d+: [A-Z]{1,6}\d{2,4} |^Found \d+ (?:errors?|warnings?|problems?)`, // linters
    String.raw`^/usr/bin/ld: |^collect2: |^\s*Finished \S.{0,60} target\(s\) in `,
  ].join('|'),
);
const MIN_PROGRESS = 3;
const MIN_SHARE = 0.1;

function recognise(sample: Sample): boolean {
  const lines = withoutTimes(sample);
  if (lines.some((line) => TOOL.test(line))) return true;
  const progress = lines.filter((line) => isProgress(line)).length;
  return progress >= MIN_PROGRESS && progress >= lines.length * MIN_SHARE;
}

export const buildFormat: Format = {
  name: 'build',
  recognise,
  units: (lines) => runUnits(lines),
  examples: { is: [PIP, ACTIONS], isNot: [PROSE] },
};

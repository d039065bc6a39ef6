/** The units of a run, whatever it ran: tests, a build, an installer or a CI job, which does all of these. */
import type { Unit } from '../../document.ts';
import { markRepeatedLines } from '../../repeated-lines.ts';
import { markProgress } from '../build/progress.ts';
import { templatesOf } from '../log/template.ts';
import { markLibraryFrames } from '../stack-trace.ts';
import { failureLines } from '../test-run/failures.ts';
import { markPassedTests } from '../test-run/passed-tests.ts';
import { markFindings } from './findings.ts';
import { markFrequentLines } from './frequent-lines.ts';
import { joinOverBlankLines, type Marks } from './marks.ts';
import { markQuietLines } from './quiet-lines.ts';
import { sectionsIn, unitsBySection } from './sections.ts';
import { withoutTimes } from './times.ts';

/** Finds passed tests, library frames, progress, repeated and quiet lines, in this order of preference, inside steps of CI. */
export function runUnits(whole: readonly string[]): readonly Unit[] {
  const lines = withoutTimes(whole);
  const marks: Marks = new Array(lines.length);
  const notPassed = markPassedTests(lines, marks);
  markLibraryFrames(lines, marks);
  markProgress(lines, marks);
  const run = { lines, templates: templatesOf(lines), isFailure: failureLines(lines) };
  const isFinding = markFindings(lines, marks, run.templates);
  markRepeatedLines(run, marks);
  markFrequentLines(run, marks);
  joinOverBlankLines(lines, marks);
  const sections = [...sectionsIn(lines)];
  markQuietLines(run, marks, { sections, isFinding, notPassed });
  return unitsBySection(lines, marks, sections);
}

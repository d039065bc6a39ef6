import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';
import { MISSING } from './missing-mark.ts';

/**
 * Ends a run with the names of the groups that were left out because the machine lacks a part, and
 * with one plain line of counts for programs. A run that executed no test fails.
 */
export class ClosingLinesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const leftOut = modules.flatMap((module) => [...module.children.allSuites()].filter(isLeftOut));
    if (leftOut.length > 0) process.stdout.write(`\nLeft out (${leftOut.length} groups):\n`);
    for (const suite of leftOut)
      process.stdout.write(`  ${suite.module.relativeModuleId} > ${suite.fullName}\n`);

    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const [passed, failed] = [count(tests, 'passed'), count(tests, 'failed')];
    if (passed + failed === 0) process.exitCode = 1;
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${tests.length - passed - failed} skipped\n`);
  }
}

function isLeftOut(suite: TestSuite): boolean {
  return suite.options.mode === 'skip' && suite.name.includes(MISSING);
}

function count(tests: readonly TestCase[], state: 'passed' | 'failed'): number {
  return tests.filter((test) => test.result().state === state).length;
}

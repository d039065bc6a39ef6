import type { Reporter, TestModule, TestSuite } from 'vitest/node';
import { MISSING } from './missing-mark.ts';

/** Ends a run by naming each group that was left out because the machine lacks a part. */
export class SkippedGroupsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allSuites()].filter(isLeftOut));
    if (skipped.length === 0) return;
    process.stdout.write(`\nLeft out (${skipped.length} groups):\n`);
    for (const suite of skipped)
      process.stdout.write(`  ${suite.module.relativeModuleId} > ${suite.fullName}\n`);
  }
}

function isLeftOut(suite: TestSuite): boolean {
  return suite.options.mode === 'skip' && suite.name.includes(MISSING);
}

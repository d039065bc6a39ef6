/** Mutation testing; CONTRIBUTING.md has the command and the score. Not a dependency: 125 packages for a run now and then. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  reporters: ['progress-append-only', 'clear-text'],
  clearTextReporter: { reportTests: false, allowColor: false },
  concurrency: 1,
  // A mutant that is only slow, because the machine is busy, must not count as killed.
  timeoutMS: 60_000,
  // Code that runs once at import cannot be switched between tests.
  ignoreStatic: true,
  // Stryker would rewrite its paths with a function that TypeScript 7 no longer has; ours has no path outside.
  tsconfigFile: 'none',
};

/** Mutation testing, room by room; CONTRIBUTING.md has the command and the score. Not a dependency: 125 packages for a run now and then. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { dir: `test/${process.env.ROOM ?? 'recovery'}` },
  reporters: ['clear-text'],
  clearTextReporter: { reportTests: false },
  concurrency: 1,
  // What runs once at import cannot be switched between tests.
  ignoreStatic: true,
};

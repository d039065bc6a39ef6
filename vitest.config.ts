import { defineConfig } from 'vitest/config';
import { ClosingLinesReporter } from './test/support/closing-lines-reporter.ts';

/** Packages import each other from source: nothing must be built to run a test of a module. */
const conditions = ['secateur-source', 'module', 'node', 'development|production'];

export default defineConfig({
  ssr: { resolve: { conditions, externalConditions: ['secateur-source', 'node'] } },
  test: {
    reporters: ['default', new ClosingLinesReporter()],
    include: ['test/**/*.test.ts'],
    // Most of a journey is waiting: the last core need not be kept free.
    maxWorkers: '100%',
    // Journeys start real servers and children; a noisy machine must not turn them red.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
  },
});

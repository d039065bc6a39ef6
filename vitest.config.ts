import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Journeys start real servers and children; a noisy machine must not turn them red.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

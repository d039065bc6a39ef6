import type { ClassifiedText } from './classify.ts';

/** A test that passed, as TAP, pytest, Go, unittest and the runners of JavaScript print it. */
const PASSED = /^\s*(?:ok \d+\b|[✓✔√] |--- PASS: )|(?:\.\.\. ok|\bPASSED)(?: +\[ *\d+%\])?$/;

/** How much less a test that passed is needed than its words suggest: it repeats what the failing ones are about. */
const DISCOUNT = 0.1;

/** Passing tests fold; a question that asks for the tests keeps them by its own rule. */
export function discountPassedTests(
  { shape, bare }: ClassifiedText,
  probabilities: Float64Array | undefined,
): Float64Array | undefined {
  if (probabilities === undefined || (shape !== 'test-run' && shape !== 'logs')) return probabilities;
  return probabilities.map((probability, index) =>
    PASSED.test(bare[index] ?? '') ? probability * DISCOUNT : probability,
  );
}

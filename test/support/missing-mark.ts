/** The mark by which the reporter finds groups that were left out; apart, because a reporter cannot load test code. */
export const MISSING = 'missing on this machine:';

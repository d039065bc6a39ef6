const TEST_NAME =
  /(?:^|\/)(?:__tests__\/.|(?:test_[^/]+\.py|conftest\.py|[^/]+_test\.(?:go|py|rb|rs|c|cc|cpp)|[^/]+_spec\.rb|[^/]+[._-](?:test|spec)\.[cm]?[jt]sx?|[^/]+Tests?\.(?:java|kt|cs|php|swift))$)/;

const TEST_FOLDER = /(?:^|\/)(?:tests?|__tests__|spec|specs|e2e|integration)\//;

/** A test by its file name, as the usual runners of its language would find it. */
export function isTestName(path: string): boolean {
  return TEST_NAME.test(path);
}

/** The same, or a file in a folder of tests: good enough as evidence, not to leave a file out. */
export function mayBeTest(path: string): boolean {
  return isTestName(path) || TEST_FOLDER.test(path);
}

const TEST_NAME =
  /(?:^|\/)(?:__tests__\/.|(?:test_[^/]+\.py|conftest\.py|[^/]+_test\.(?:go|py|rb|rs|c|cc|cpp)|[^/]+_spec\.rb|[^/]+(?:[._]spec|[._-]test)\.[cm]?[jt]sx?|[^/]+Tests?\.(?:java|kt|cs|php|swift))$)/;

/** `spec` also names folders without tests: it counts at the top, and for Ruby. */
const TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|e2e|integration)\/|^(?:packages\/[^/]+\/)?specs?\/|(?:^|\/)specs?\/.{0,1000}\.rb$/;

/** A test by its file name, as the usual runners of its language would find it. */
export function isTestName(path: string): boolean {
  return TEST_NAME.test(path);
}

/** A file in a folder that is for sources by convention: below it `test` is a word of the project (`lib/rack/test/`). */
export function isSourcePath(path: string): boolean {
  return path.endsWith('.rb')
    ? /(?:^|\/)lib\//.test(path) && !/^(?:test|spec)\//.test(path)
    : /(?:^|\/)src\/main\//.test(path);
}

/** Accepts test names and files in test folders: good enough as evidence, not to leave a file out. */
export function mayBeTest(path: string): boolean {
  return isTestName(path) || (TEST_FOLDER.test(path) && !isSourcePath(path));
}

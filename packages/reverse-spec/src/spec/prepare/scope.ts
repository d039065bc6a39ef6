import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { matcherOf } from '@secateur/base/text/glob.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import type { ReadingParts } from '../parts.ts';
import type { FileNote } from '../reading/facts.ts';
import { type FactsReading, readFacts } from '../reading/read-facts.ts';
import { pathInside, type Target } from '../reading/target.ts';

/** Globs over paths of the project. Without a slash they mean names in any folder; a folder means all that is below it. */
export interface ScopeGlobs {
  /** When there are any, nothing else is read; what they name is a module whatever its role. */
  include: readonly string[];
  /** Wins over `include`. */
  exclude: readonly string[];
}

/** Role of a file in a project, by its path. Only `source` is a module by default. */
export type FileRole = 'source' | 'test' | 'example' | 'generated' | 'vendored';

const TEST_FOLDER =
  /(?:^|\/)(?:tests|__tests__|__mocks__|e2e|testdata|test[-_](?:helpers?|utils?|support|fixtures)|src\/(?:test|\w{1,40}Test)|[^/]+\.tests?)\/|^(?:test|specs?|fuzz)\//i;
/** `JWTDecodeTests/`, `Api.UnitTests/`: targets of Swift and projects of C#. */
const TEST_TARGET = /(?:^|\/)[\w.-]{1,80}Tests\/.{0,1000}\.(?:swift|cs|mm?)$/;
/** Python has packages called `test` that others import. */
const OTHER_TEST_FOLDER = /(?:^|\/)test\/.{0,1000}[^/](?<!\.pyi?)$/;
/** In the singular it may be a package's own name (`com/example`): there only at the top. */
const EXAMPLE_FOLDER =
  /(?:^|\/)_?(?:examples|samples|demos|benches|benchmarks)\/|^_?(?:example|sample|demo|benchmark|bench)\//i;
/** Measurements that a runner finds by their names. */
const BENCHMARK_NAME = /(?:Bench|Benchmarks?)\.(?:php|java|kt|cs)$/;
/** Settings of tools that are written as code. */
const TOOL_SETTINGS =
  /(?:^|\/)(?:(?:eslint|vitest|vite|jest|babel|webpack|rollup|prettier|tailwind|postcss|playwright|cypress|tsup|tsdown|build|commitlint|karma|stylelint|knip|lint-staged)(?:\.[\w-]{1,30})?\.config|gulpfile|Gruntfile|\.\w{1,20}rc)\.[cm]?[jt]s$/;
/** Recipes of build tools and package managers that are written as code. */
const BUILD_RECIPE =
  /(?:^|\/)(?:Package(?:@swift-[\d.]{1,9})?\.swift|(?:conanfile|noxfile|fabfile)\.py|[^/]{1,80}\.(?:gradle\.kts|gemspec|podspec|rake)|Dangerfile\.swift)$|(?:^|\/)[^/]{1,80}\.playground\/|^rakelib\//;
/** Files that build or illustrate documentation; `doc` may be a package. */
const DOCUMENTATION = /^(?:docs|website)\/|(?:^|\/)docs?\/(?:source\/)?conf\.py$/;
/** Folders for the repository, not its users: `.github/scripts`. */
const HIDDEN_FOLDER = /(?:^|\/)\.[^/.][^/]*\//;
const VENDORED_FOLDER =
  /(?:^|\/)(?:vendor|vendored|third[_-]?party|3rdparty|node_modules|bower_components|Godeps|Pods|Carthage)\//i;
const GENERATED_NAME =
  /(?:\.pb\.(?:go|cc|h|swift)|_pb2(?:_grpc)?\.pyi?|\.pb\.\w+|_pb\.(?:js|d\.ts|rb)|\.(?:g|designer|generated)\.cs|\.g\.dart|\.freezed\.dart|[._-]gen(?:erated)?\.\w+|\.min\.(?:js|css|mjs)|\.bundle\.js)$|(?:^|\/)(?:zz_generated[^/]*$|__generated__\/|generated\/)/i;

export function roleOf(path: string): FileRole {
  if (VENDORED_FOLDER.test(path)) return 'vendored';
  if (GENERATED_NAME.test(path)) return 'generated';
  if (isTestName(path)) return 'test';
  if (!isSourcePath(path) && isInTestFolder(path)) return 'test';
  const isExample =
    EXAMPLE_FOLDER.test(path) ||
    BENCHMARK_NAME.test(path) ||
    TOOL_SETTINGS.test(path) ||
    BUILD_RECIPE.test(path) ||
    DOCUMENTATION.test(path) ||
    HIDDEN_FOLDER.test(path);
  return isExample ? 'example' : 'source';
}

function isInTestFolder(path: string): boolean {
  return TEST_FOLDER.test(path) || OTHER_TEST_FOLDER.test(path) || TEST_TARGET.test(path);
}

/** The files that make modules: what says of itself that a program wrote it only where it was asked for by name. */
export function writtenByPeople<File extends { isGenerated?: true }>(
  files: readonly File[],
  { globs, scope }: { globs: ScopeGlobs | undefined; scope: string },
): File[] {
  const isAsked = scope === 'file' || (globs?.include.length ?? 0) > 0;
  const written = files.filter(({ isGenerated }) => isGenerated !== true);
  // A target of nothing but generated code was meant.
  return isAsked || written.length === 0 ? [...files] : written;
}

export interface ScopeRequest extends ScopeGlobs {
  /** Requested path, relative to the project: a user who names a folder of examples wants them. */
  target: string;
  /** Sources alone, as modules are made of. */
  modulesOnly: boolean;
}

/** Whether a path is wanted. */
export function scopeOf({ include, exclude, target, modulesOnly }: ScopeRequest): (path: string) => boolean {
  const included = include.map(matcherOf);
  const excluded = exclude.map(matcherOf);
  const asked: ReadonlySet<FileRole> = new Set(['source', roleOf(`${target}/x.ts`), roleOf(target)]);
  return (path) => {
    if (excluded.some((matches) => matches(path))) return false;
    if (included.length > 0) return included.some((matches) => matches(path));
    return !modulesOnly || asked.has(roleOf(path));
  };
}

export interface Scan {
  /** Relative to the project. */
  paths: string[];
  /** Paths that could not be listed, and why. */
  notes: Record<string, FileNote>;
}

const NO_GLOBS: ScopeGlobs = { include: [], exclude: [] };

export interface ScanOptions extends Pick<ReadingParts, 'globs' | 'signal'> {
  /** Tests, examples, generated and vendored code are not modules; `prepare` lists them all the same. */
  modulesOnly: boolean;
}

/** The files of a target. A file or a folder that was named is taken even if git ignores it. */
export async function scanTarget(target: Target, options: ScanOptions): Promise<Scan> {
  const { modulesOnly, globs = NO_GLOBS, signal } = options;
  if (target.scope === 'file') return withoutSecretNames([target.path]);
  const { paths, unlisted } = await listTarget(target, signal);
  const isAsked = scopeOf({ ...globs, target: target.path, modulesOnly });
  const isWanted = (path: string) => isInScope(path, target) && isAsked(path);
  const skipped = unlisted
    .filter((path) => isInScope(path, target))
    .map((path) => [path, { code: path.endsWith('/') ? 'unreadable-folder' : 'name-not-utf8' }]);
  const { paths: named, notes } = withoutSecretNames(paths.filter(isWanted));
  return { paths: named, notes: { ...Object.fromEntries(skipped), ...notes } };
}

/**
 * Names go into prompts and documents, so one that holds a token is left out. Redaction keeps lines: one call
 * checks all.
 */
function withoutSecretNames(paths: readonly string[]): Scan {
  const shown = redactSecrets(paths.join('\n')).split('\n');
  return {
    paths: paths.filter((path, at) => path === shown[at]),
    notes: Object.fromEntries(
      paths.flatMap((path, at) => (path === shown[at] ? [] : [[shown[at], { code: 'secret-in-name' }]])),
    ),
  };
}

async function listTarget({ base, path }: Target, signal: AbortSignal | undefined) {
  const root = await openRoot(base);
  const request = { under: path, ...(signal && { signal }) };
  const list = await listFiles(root, request);
  return list.paths.length > 0 || path === '.' ? list : listFiles(root, { ...request, apart: true });
}

function isInScope(path: string, { scope, path: folder, without = [] }: Target): boolean {
  if (without.some((other) => path.startsWith(`${other}/`))) return false;
  if (scope !== 'folder') return true;
  const below = folder === '.' ? path : path.slice(folder.length + 1);
  return !below.includes('/');
}

/** Lists the sources of a target, without its output folder. */
export async function scanModules(target: Target, outputDir: string, parts: ReadingParts): Promise<Scan> {
  const { paths, notes } = await scanTarget(target, { ...parts, modulesOnly: true });
  const folder = pathInside(target.base, outputDir);
  const isOwn = (path: string) => folder !== undefined && folder !== '.' && path.startsWith(`${folder}/`);
  return { paths: paths.filter((path) => !isOwn(path)), notes };
}

/** Reads the scanned files that people wrote. */
export async function readModules(target: Target, scan: Scan, parts: ReadingParts): Promise<FactsReading> {
  const { files, notes } = await readFacts(target, scan.paths, { ...parts, withBodies: true });
  return {
    files: writtenByPeople(files, { globs: parts.globs, scope: target.scope }),
    notes: { ...notes, ...scan.notes },
  };
}

const TEST_NAME =
  /(?:^|\/)(?:__tests__\/.|(?:test_[^/]+\.py|conftest\.py|[^/]+_test\.(?:go|py|rb|rs|c|cc|cpp)|[^/]+_spec\.rb|[^/]+(?:[._]spec|[._-]test)\.[cm]?[jt]sx?|[^/]+Tests?\.(?:java|kt|cs|php|swift))$)/;

/** `spec` also names folders without tests: it counts at the top, and for Ruby. */
const LIKELY_TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|e2e|integration)\/|^(?:packages\/[^/]+\/)?specs?\/|(?:^|\/)specs?\/.{0,1000}\.rb$/;

/** A test by its file name, as the usual runners of its language would find it. */
function isTestName(path: string): boolean {
  return TEST_NAME.test(path);
}

/** A file in a folder that is for sources by convention: below it `test` is a word of the project (`lib/rack/test/`). */
function isSourcePath(path: string): boolean {
  return path.endsWith('.rb')
    ? /(?:^|\/)lib\//.test(path) && !/^(?:test|spec)\//.test(path)
    : /(?:^|\/)src\/main\//.test(path);
}

/** Accepts test names and files in test folders: good enough as evidence, not to leave a file out. */
export function mayBeTest(path: string): boolean {
  return isTestName(path) || (LIKELY_TEST_FOLDER.test(path) && !isSourcePath(path));
}

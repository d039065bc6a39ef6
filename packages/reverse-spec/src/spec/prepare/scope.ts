import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { matcherOf } from '@secateur/base/text/glob.ts';
import { listFiles } from '@secateur/serving/workspace/list-files.ts';
import { openRoot } from '@secateur/serving/workspace/root.ts';
import type { ReadingParts } from '../parts.ts';
import type { FileNote } from '../reading/facts.ts';
import { type FactsReading, readFacts } from '../reading/read-facts.ts';
import { pathInside, type Target } from '../reading/target.ts';
import { openShipped } from './shipped.ts';

/** Globs for paths of the project. One without a slash matches names. One that matches a folder matches all files in it. */
export interface ScopeGlobs {
  /** If not empty, only matching files are read. They are treated as sources, whatever their role. */
  include: readonly string[];
  /** Files that are not read, even if `include` matches them. */
  exclude: readonly string[];
}

/** Role of a file, by its path. By default only files with the role `source` are described. */
export type FileRole = 'source' | 'test' | 'example' | 'generated' | 'vendored';

const TEST_FOLDER =
  /(?:^|\/)(?:tests|__tests__|__mocks__|e2e|testdata|test[-_](?:helpers?|utils?|support|fixtures)|src\/(?:test|\w{1,40}Test)|[^/]+\.tests?)\/|^(?:tests?(?:[-_]\w{1,40})?|specs?|fuzz(?:ing|ers?)?|features\/(?:steps|step_definitions|support))\//i;
/** Swift test targets and C# test projects: `JWTDecodeTests/`, `Api.UnitTests/`, `TestHost/`. */
const TEST_TARGET =
  /(?:^|\/)(?:[\w.-]{1,80}Tests|Test(?:Host|App|Utils|Support|Helpers?)[\w.-]{0,80})\/.{0,1000}\.(?:swift|cs|mm?)$/;
/** Folders called `test`, except for Python, where some packages have that name. */
const OTHER_TEST_FOLDER = /(?:^|\/)test\/.{0,1000}[^/](?<!\.pyi?)$/;
/** Folders of examples. `example` counts only at the top level, because `com/example` may be a package. */
const EXAMPLE_FOLDER =
  /(?:^|\/)_?(?:examples|samples|demos|benches|benchmarks)\/|^_?(?:example|sample|demo|benchmark|bench)\//i;
/** Benchmarks and examples that are recognised by their file names: `src/example.cpp`. */
const EXAMPLE_NAME =
  /(?:Bench|Benchmarks?|\.bench(?:mark)?)\.(?:php|java|kt|cs|[cm]?[jt]sx?)$|(?:^|\/)(?:examples?|demo)\.\w{1,5}$/;
/** Apps that demonstrate a library: `SwifterSampleOSX/`, `BoxExample/`. */
const SAMPLE_APP =
  /(?:^|\/)\w{0,60}(?:Sample|Example|Demo)(?:s|App)?(?:iOS|OSX|[mM]acOS|tvOS)?\/.{0,1000}\.(?:swift|cs|kt|mm?)$/;
/** Folders of scripts that maintain or build the repository. */
const MAINTENANCE = /^(?:packages\/[^/]+\/)?(?:scripts?|tools?|build|cmake|meson|ci|hack)\//;
/** Configuration files of tools, if they are code. Only at the top level: `src/app/app.config.ts` may belong to a program. */
const TOOL_SETTINGS =
  /^(?:packages\/[^/]+\/)?[\w.-]{1,80}\.config\.[cm]?[jt]s$|(?:^|\/)(?:(?:eslint|vite|vitest|jest|babel|webpack|rollup|tailwind|postcss|playwright)\.config|gulpfile|Gruntfile|\.\w{1,20}rc)\.[cm]?[jt]s$/;
/** Files of build tools and package managers, if they are code. */
const BUILD_RECIPE =
  /(?:^|\/)(?:Package(?:@swift-[\d.]{1,9})?\.swift|(?:setup|conanfile|noxfile|fabfile)\.py|[^/]{1,80}\.(?:gradle\.kts|gemspec|podspec|rake)|Dangerfile\.swift)$|(?:^|\/)[^/]{1,80}\.playground\/|^rakelib\//;
/** Files for building or illustrating documentation. `doc` is not included, because it may be a package. */
const DOCUMENTATION = /^(?:docs|website)\/|(?:^|\/)docs?\/(?:source\/)?conf\.py$/;
/** Hidden folders, such as `.github/scripts`, which serve the maintenance of the repository. */
const HIDDEN_FOLDER = /(?:^|\/)\.[^/.][^/]*\//;
const VENDORED_FOLDER =
  /(?:^|\/)(?:vendor|vendored|third[_-]?party|3rdparty|node_modules|bower_components|Godeps|Pods|Carthage)\//i;
const GENERATED_NAME =
  /(?:\.pb\.(?:go|cc|h|swift)|_pb2(?:_grpc)?\.pyi?|\.pb\.\w+|_pb\.(?:js|d\.ts|rb)|\.(?:g|designer|generated)\.cs|\.g\.dart|\.freezed\.dart|[._-]gen(?:erated)?\.\w+|\.min\.(?:js|css|mjs)|\.bundle\.js)$|(?:^|\/)(?:zz_generated[^/]*$|__generated__\/|generated\/)/i;

export function roleOf(path: string): FileRole {
  if (VENDORED_FOLDER.test(path)) return 'vendored';
  if (GENERATED_NAME.test(path)) return 'generated';
  if (isTestName(path)) return 'test';
  if (!isSourcePath(path) && TEST_FOLDERS.some((pattern) => pattern.test(path))) return 'test';
  return EXAMPLES.some((pattern) => pattern.test(path)) ? 'example' : 'source';
}

const EXAMPLES = [
  EXAMPLE_FOLDER,
  EXAMPLE_NAME,
  SAMPLE_APP,
  MAINTENANCE,
  TOOL_SETTINGS,
  BUILD_RECIPE,
  DOCUMENTATION,
  HIDDEN_FOLDER,
];
const TEST_FOLDERS = [TEST_FOLDER, OTHER_TEST_FOLDER, TEST_TARGET];

/** Removes generated files, unless they were requested explicitly or all files are generated. */
export function writtenByPeople<File extends { isGenerated?: true }>(
  files: readonly File[],
  { globs, scope }: { globs: ScopeGlobs | undefined; scope: string },
): File[] {
  const isAsked = scope === 'file' || (globs?.include.length ?? 0) > 0;
  const written = files.filter(({ isGenerated }) => isGenerated !== true);
  // All files are generated, so the user wants the specification of generated code.
  return isAsked || written.length === 0 ? [...files] : written;
}

export interface ScopeRequest extends ScopeGlobs {
  /** Requested path in the project. Files with the role of this path are read too, such as examples in a folder of examples. */
  target: string;
  /** Whether to select only sources: no tests, examples, generated or vendored files. */
  modulesOnly: boolean;
}

/** Returns a function that decides whether a path is read. */
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
  /** Paths relative to the project. */
  paths: string[];
  /** Paths that could not be listed, and why. */
  notes: Record<string, FileNote>;
}

const NO_GLOBS: ScopeGlobs = { include: [], exclude: [] };

export interface ScanOptions extends Pick<ReadingParts, 'globs' | 'signal'> {
  /** Whether to omit tests, examples, generated and vendored files. `prepare` includes them. */
  modulesOnly: boolean;
  /** Files that belong to the target even if the package is published without them. */
  kept?: ReadonlySet<string>;
}

/** Lists the files of a target. A file or folder that was named explicitly is included even if git ignores it. */
export async function scanTarget(target: Target, options: ScanOptions): Promise<Scan> {
  const { modulesOnly, globs = NO_GLOBS, signal, kept } = options;
  if (target.scope === 'file') return withoutSecretNames([target.path]);
  const { paths, unlisted } = await listTarget(target, signal);
  const isAsked = scopeOf({ ...globs, target: target.path, modulesOnly });
  const isShipped = modulesOnly && globs.include.length === 0 ? openShipped(target.base, paths) : () => true;
  const isWanted = (path: string) =>
    isInScope(path, target) && isAsked(path) && (isShipped(path) || kept?.has(path) === true);
  const skipped = unlisted
    .filter((path) => isInScope(path, target))
    .map((path) => [path, { code: path.endsWith('/') ? 'unreadable-folder' : 'name-not-utf8' }]);
  const { paths: named, notes } = withoutSecretNames(paths.filter(isWanted));
  return { paths: named, notes: { ...Object.fromEntries(skipped), ...notes } };
}

/** Omits paths that contain a secret. All paths are checked in one call, which is possible because redaction keeps line breaks. */
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

/** Lists the sources of a target, except files in its output folder. */
export async function scanModules(target: Target, outputDir: string, parts: ReadingParts): Promise<Scan> {
  const { paths, notes } = await scanTarget(target, { ...parts, modulesOnly: true });
  const folder = pathInside(target.base, outputDir);
  const isOwn = (path: string) => folder !== undefined && folder !== '.' && path.startsWith(`${folder}/`);
  return { paths: paths.filter((path) => !isOwn(path)), notes };
}

/** Reads the listed files, except generated ones. */
export async function readModules(target: Target, scan: Scan, parts: ReadingParts): Promise<FactsReading> {
  const { files, notes } = await readFacts(target, scan.paths, { ...parts, withBodies: true });
  return {
    files: writtenByPeople(files, { globs: parts.globs, scope: target.scope }),
    notes: { ...notes, ...scan.notes },
  };
}

const TEST_NAME =
  /(?:^|\/)(?:__tests__\/.|(?:test_[^/]+\.py|conftest\.py|[^/]+_test\.(?:go|py|rb|rs|c|cc|cpp)|tests?\.(?:c|cc|cpp)|[^/]+_spec\.rb|[^/]+(?:[._]spec|[._-]test(?:-d)?)\.[cm]?[jt]sx?|[^/]+Tests?\.(?:java|kt|cs|php|swift))$)/;

/** Folders that usually contain tests. `spec` counts only at the top level and for Ruby. */
const LIKELY_TEST_FOLDER =
  /(?:^|\/)(?:tests?|__tests__|e2e|integration)\/|^(?:packages\/[^/]+\/)?specs?\/|(?:^|\/)specs?\/.{0,1000}\.rb$/;

/** Whether the name of a file is one that test runners of its language look for. */
function isTestName(path: string): boolean {
  return TEST_NAME.test(path);
}

/** Whether a file is in a source folder. There, `test` may be part of a package (`lib/rack/test/`). */
function isSourcePath(path: string): boolean {
  return path.endsWith('.rb')
    ? /(?:^|\/)lib\//.test(path) && !/^(?:test|spec)\//.test(path)
    : /(?:^|\/)src\/main\//.test(path);
}

/** Whether a file may be a test. Such a file is used as evidence, but is not omitted as a test. */
export function mayBeTest(path: string): boolean {
  return isTestName(path) || (LIKELY_TEST_FOLDER.test(path) && !isSourcePath(path));
}

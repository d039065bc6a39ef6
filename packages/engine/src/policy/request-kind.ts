import { extensionOf } from '@secateur/base/text/file-kinds.ts';
import { type Program, pipelinesOf, programName, withoutPrefix } from '@secateur/base/text/shell-words.ts';
import type { Origin } from '../request.ts';

/** Kinds of requests that lead to an output. The kind decides, before any line is read, what may be removed. */

export const REQUEST_KINDS = [
  /** Lines by number, searches, listings, values, history, the agent's own scripts. Every line was requested. */
  'precise',
  /** Tests, builds, installers and services, which report on their work. */
  'run',
  /** A whole file. */
  'dump',
  /** A fetched page, a manual, a help text. */
  'page',
  /** Result of an MCP tool or an HTTP call. Its format decides what may be removed. */
  'result',
  /** Changes: diffs, patches, and history with patches. */
  'diff',
  /** Report of a subagent. Never cut. */
  'report',
  /** A program that is not in the tables. Its format decides; if that is unknown, treated as `precise`. */
  'unknown',
] as const;
export type RequestKind = (typeof REQUEST_KINDS)[number];

export function requestKindOf(origin: Origin): RequestKind {
  if (origin.kind === 'command') return commandKindOf(origin.command);
  if (origin.kind === 'file') return origin.isPart === true ? 'precise' : 'dump';
  if (origin.kind === 'search') return 'precise';
  return origin.kind === 'other' ? 'unknown' : origin.kind;
}

/**
 * Returns the kind of several commands: `run` if one of them is a run, else `precise` if one is. A script of
 * the agent has priority, because the agent wants all that it prints.
 */
function commandKindOf(command: string): RequestKind {
  const pipelines = pipelinesOf(command);
  const kinds = new Set(pipelines.flatMap((pipeline) => pipelineKind(pipeline) ?? []));
  const [only, ...others] = kinds;
  if (only === undefined || (kinds.has('precise') && pipelines.some(runsScript))) return 'precise';
  if (others.length === 0) return only;
  return PRECEDENCE.find((kind) => kinds.has(kind)) ?? 'precise';
}

const PRECEDENCE: readonly RequestKind[] = ['run', 'precise', 'diff', 'unknown'];

/** Whether an interpreter runs a script or a one-liner, and not a test runner or a build. */
function runsScript([first]: readonly Program[]): boolean {
  const [, ...args] = first === undefined ? [] : withoutPrefix(first);
  return (
    first !== undefined &&
    INTERPRETERS.has(programName(withoutPrefix(first))) &&
    interpreted(args) === 'precise'
  );
}

function pipelineKind(pipeline: readonly Program[]): RequestKind | undefined {
  const programs = pipeline.map(withoutPrefix).filter((program) => program.length > 0);
  const [first, ...filters] = programs;
  if (first === undefined || (filters.length === 0 && PRINTS_LITTLE.has(programName(first))))
    return undefined;
  if (filters.some((filter) => !PASSES_ALL.has(programName(filter)))) return 'precise';
  return programKind(first);
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Programs that prepare something and print at most a heading. */
const PRINTS_LITTLE = words(
  'cd pushd popd export source . set unset echo printf true false : pwd mkdir rm cp mv touch chmod ln sleep wait kill clear trap read exit return fi done then else do esac for while if case function local } git-add',
);
/** Filters that print all of their input. */
const PASSES_ALL = words('cat tee less more nl bat batcat');

function programKind(program: Program): RequestKind {
  const [path = '', ...args] = program;
  const name = programName(program);
  if (asksForHelp(name, args)) return 'page';
  const known = KINDS_BY_NAME.find(({ names }) => names.has(name));
  if (known !== undefined) return known.kindOf(args);
  const subcommands = RUNNING_SUBCOMMANDS[name];
  if (subcommands !== undefined) return subcommands.test(args.join(' ')) ? 'run' : 'precise';
  return isTestScript(path) ? 'run' : 'unknown';
}

const DUMPS = words('cat bat batcat nl less more zcat');
const FETCHES = words('curl wget http https xh httpie lynx w3m');
const DIFFS = words('diff colordiff sdiff delta difft cmp interdiff');
const RUNS = words(
  'pytest py.test tox nox jest vitest mocha ava tap karma cypress rspec phpunit pest ctest make gmake cmake ninja bazel buck gradle gradlew mvn mvnw ant sbt msbuild xcodebuild gcc g++ clang clang++ cc c++ rustc javac kotlinc ghc tsc vue-tsc eslint biome prettier ruff flake8 pylint mypy pyright black isort stylelint golangci-lint shellcheck rubocop phpstan checkstyle webpack vite rollup esbuild parcel turbo nx lerna stack mix rebar3 dune meson scons pre-commit journalctl dmesg ansible-playbook terraform rake minitest behave robot lint-staged',
);
const PACKAGES = /^(?:-\S+ )*(?:install|add|update|upgrade|dist-upgrade|remove|autoremove|purge)\b/;
const RUNNING_SUBCOMMANDS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:-\S+ )*(?:test|t|tst|ci|i|install|add|update|audit|build|publish|pack|run|run-script|start|exec|rebuild)\b/,
  pnpm: /^(?:-\S+ )*(?:test|t|ci|i|install|add|update|audit|build|run|start|exec|dlx|-r|--filter|lint)\b/,
  yarn: /^(?:-\S+ )*(?:$|test|install|add|upgrade|build|run|start|workspaces?|workspace|jest|lint|tsc|mocha|vitest)\b/,
  bun: /^(?:test|install|i|add|run|build|x)\b/,
  deno: /^(?:test|task|check|lint|bench|install)\b/,
  cargo: /^(?:\+\S+ )?(?:test|t|build|b|check|c|clippy|bench|install|run|nextest|doc|fmt|publish)\b/,
  go: /^(?:test|build|vet|install|get|mod|generate|run)\b/,
  pip: /^(?:install|download|wheel|uninstall)\b/,
  pip3: /^(?:install|download|wheel|uninstall)\b/,
  uv: /^(?:pip install|sync|add|run|lock|build)\b/,
  poetry: /^(?:install|add|update|build|run|lock)\b/,
  conda: /^(?:install|create|update|env)\b/,
  bundle: /^(?:install|exec|update)\b/,
  composer: /^(?:install|update|require|test|run)\b/,
  dotnet: /^(?:test|build|run|restore|publish|pack)\b/,
  swift: /^(?:test|build|run|package)\b/,
  flutter: /^(?:test|build|run|pub|analyze)\b/,
  docker: /^(?:build|buildx|pull|push|logs|run|compose|-compose)\b/,
  'docker-compose': /^(?:up|build|logs|run|pull)\b/,
  podman: /^(?:build|pull|push|logs|run)\b/,
  kubectl: /^(?:logs|apply|rollout|delete)\b/,
  helm: /^(?:install|upgrade|test|lint)\b/,
  apt: PACKAGES,
  'apt-get': PACKAGES,
  dnf: PACKAGES,
  yum: PACKAGES,
  apk: PACKAGES,
  brew: PACKAGES,
  gem: /^(?:install|update|build)\b/,
};
const STARTERS = words('npx bunx pnpx uvx pipx xargs script watch');
const INTERPRETERS = words(
  'python python2 python3 pypy node nodejs tsx ts-node ruby perl php lua Rscript julia bash sh zsh dash java scala',
);
const PRECISE = words(
  'ls find fd tree du df wc stat file grep egrep fgrep rg ag ack sed awk gawk head tail sort uniq cut tr column jq yq xq comm join paste fold rev tac ps top htop ss netstat lsof free uptime uname whoami id env printenv which type whereis date cal mount ip ifconfig vmstat iostat lsblk sqlite3 psql mysql mongosh redis-cli column md5sum sha256sum strings hexdump xxd od seq expr bc dpkg dpkg-query rpm locale history alias readlink realpath dirname basename nproc getconf sysctl crontab ssh-keygen openssl nm objdump ldd readelf',
);

function started(args: readonly string[]): RequestKind {
  const program = args.filter((word) => !word.startsWith('-'));
  return program.length === 0 ? 'precise' : programKind(program.map(withoutVersion));
}

function withoutVersion(word: string): string {
  return word.replace(/(?<=.)@[\w.^~*-]+$/, '');
}

/** Returns the kind of the command in `sh -c 'npm test'`, or that of a script. */
function shellKind(args: readonly string[]): RequestKind {
  const command = args[args.findIndex((word) => /^-\w*c$/.test(word)) + 1];
  return args.some((word) => /^-\w*c$/.test(word)) && command !== undefined
    ? commandKindOf(command)
    : interpreted(args);
}

const RUN_MODULES = words(
  'pytest unittest tox nox pip build mypy flake8 pylint ruff black venv compileall py_compile coverage nose green trial',
);

/** The agent's own scripts and one-liners are precise. A test runner that an interpreter starts is a run. */
function interpreted(args: readonly string[]): RequestKind {
  const module = args.indexOf('-m');
  if (module >= 0) return RUN_MODULES.has(args[module + 1] ?? '') ? 'run' : 'precise';
  if (args.some((word) => word === '--test' || word.startsWith('--test-'))) return 'run';
  const script = args.find((word) => !word.startsWith('-'));
  if (script === undefined || args.includes('-c') || args.includes('-e')) return 'precise';
  if (args.some((word) => word === 'test') && /manage\.py$|artisan$/.test(script)) return 'run';
  const name = programName([script]);
  if (RUNS.has(name.replace(/\.\w+$/, ''))) return 'run';
  return isTestScript(script) ? 'run' : 'precise';
}

const TEST_SCRIPT =
  /(?:^|\/)(?:run[-_]?(?:all[-_]?)?tests?|tests?|check|ci|build|install|setup|lint)(?:\.\w{1,4})?$/;

/** Matches a script in a folder of tests: `ruby test/run.rb`, `python3 tests/run_all.py`. */
const IN_TEST_FOLDER = /(?:^|\/)(?:tests?|specs?)\/[^/]+\.\w{1,4}$/;

function isTestScript(path: string): boolean {
  return TEST_SCRIPT.test(path) || IN_TEST_FOLDER.test(path);
}

const GIT_DIFFS = /^(?:diff|show|format-patch|range-diff|whatchanged|difftool)$/;
/** Matches a revision. Without one, `git diff` shows the changes that the agent made itself. */
const REVISION = /\.\.|[~^@]|^(?:HEAD|main|master|develop|trunk|origin\/\S+|[0-9a-f]{7,40})$/;
const WITH_PATCH = /^(?:-p|-u|--patch|-U\d+|--unified|-c|--cc|-L.*)$/;

function gitKind(args: readonly string[]): RequestKind {
  const at = args.findIndex(
    (word, index) => !word.startsWith('-') && !/^(?:-C|-c)$/.test(args[index - 1] ?? ''),
  );
  const [subcommand = '', ...rest] = args.slice(Math.max(0, at));
  if (subcommand === 'show' && rest.some((word) => /^[^-:][^:]*:.+/.test(word))) return 'dump';
  if (rest.some((word) => /^--(?:stat|name-only|name-status|numstat|shortstat|oneline)/.test(word)))
    return 'precise';
  if (subcommand === 'diff' && !rest.some((word) => REVISION.test(word))) return 'precise';
  if (GIT_DIFFS.test(subcommand)) return 'diff';
  if (/^(?:log|stash|reflog)$/.test(subcommand) && rest.some((word) => WITH_PATCH.test(word))) return 'diff';
  return 'precise';
}

/** Whether a command prints a help text: `tool --help`, `man tool`, `tool help`. */
function asksForHelp(name: string, args: readonly string[]): boolean {
  if (name === 'man' || name === 'info' || name === 'tldr') return true;
  if (args[0] === 'help' || args.some((word) => /^--help(?:-\w+)?$/.test(word))) return true;
  return (
    (name === 'tsc' && args.includes('--all')) ||
    (args.length === 1 && args[0] === '-h' && !PRECISE.has(name))
  );
}

/** Kinds of programs by name. Some need a function to find the kind. */
const KINDS_BY_NAME: readonly {
  readonly names: ReadonlySet<string>;
  kindOf(args: readonly string[]): RequestKind;
}[] = [
  { names: words('git hg jj'), kindOf: gitKind },
  { names: DUMPS, kindOf: (args) => (args.some((word) => !word.startsWith('-')) ? 'dump' : 'precise') },
  { names: FETCHES, kindOf: () => 'result' },
  { names: DIFFS, kindOf: () => 'diff' },
  { names: RUNS, kindOf: () => 'run' },
  { names: STARTERS, kindOf: started },
  { names: words('bash sh zsh dash'), kindOf: shellKind },
  { names: INTERPRETERS, kindOf: interpreted },
  { names: PRECISE, kindOf: () => 'precise' },
];

/**
 * Returns the file that a command line shows without doing anything else: `cat a.ts`, `cd src && nl -ba a.py
 * | sed -n '1,80p'`, `git show HEAD:a.py`. Several files of one language count as one.
 */
export function shownFile(command: string): string | undefined {
  const shown: string[] = [];
  for (const [first = [], ...filters] of pipelinesOf(command)) {
    if (filters.length === 0 && QUIET.has(first[0] ?? '')) continue;
    const files = filesShown(first);
    if (files.length === 0 || !filters.every(passesOn)) return undefined;
    shown.push(...files);
  }
  return new Set(shown.map(extensionOf)).size === 1 ? shown[0] : undefined;
}

/** Programs that print nothing, or only a heading. */
const QUIET = new Set(['cd', 'export', 'source', 'set', 'echo', 'printf', 'true', 'pwd']);
const SHOWS = new Set(['cat', 'bat', 'batcat', 'head', 'tail', 'nl', 'sed', 'less', 'more', 'awk']);
/** Programs whose first argument, after options, is a script. */
const SCRIPTED = new Set(['sed', 'awk']);
const PASSES_ON = new Set(['head', 'tail', 'cat', 'nl', 'less', 'more', 'awk']);
/** Options that take the next word as their value, by program. */
const TAKES_WORD: Readonly<Record<string, string>> = {
  head: 'nc',
  tail: 'nc',
  sed: 'e',
  awk: 'Fv',
  nl: 'bwsv',
};

function passesOn([name = '', ...words]: Program): boolean {
  return PASSES_ON.has(name) || (name === 'sed' && words.includes('-n'));
}

function filesShown([path = '', ...words]: Program): string[] {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name === 'git') return words.includes('show') ? words.flatMap(revisionFile) : [];
  if (!SHOWS.has(name) || words.some((word) => name === 'sed' && /^-[A-Za-z]*i|^--in-place/.test(word)))
    return [];
  const taking = TAKES_WORD[name] ?? '';
  const takesNext = (word = '') => /^-.$/.test(word) && taking.includes(word.charAt(1));
  const plain = words.filter((word, at) => !/^[-+]./.test(word) && !takesNext(words[at - 1]));
  const files = SCRIPTED.has(name) && !words.includes('-e') ? plain.slice(1) : plain;
  return files.every((file) => !/[*?]$|\/$/.test(file)) ? files : [];
}

/** Returns the file in an argument `REVISION:FILE` of `git show`. */
function revisionFile(word: string): string[] {
  const file = /^[^-:][^:]*:(.+)$/.exec(word)?.[1];
  return file === undefined ? [] : [file];
}

/** Kind of a file by its extension (lower case, without the dot), for pruning and the parsers. */
export type FileKind = 'code' | 'docs' | 'logs';

/** Languages that have a parser. `h` is C unless a pattern of C++ matches. */
export const parsedExtensions = {
  javascript: ['js', 'mjs', 'cjs', 'jsx'],
  typescript: ['ts', 'mts', 'cts'],
  tsx: ['tsx'],
  python: ['py', 'pyi', 'pyw'],
  go: ['go'],
  java: ['java'],
  rust: ['rs'],
  c: ['c', 'h'],
  cpp: ['cpp', 'h', 'cc', 'cxx', 'c++', 'hpp', 'hh', 'hxx', 'h++', 'ipp', 'inl', 'tpp', 'cppm'],
  csharp: ['cs', 'csx'],
  ruby: ['rb', 'rake', 'gemspec', 'ru'],
  php: ['php', 'phtml', 'php5'],
  kotlin: ['kt', 'kts'],
  swift: ['swift'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

const OTHERS: Readonly<Record<FileKind, string>> = {
  docs: 'md mdx markdown rst adoc asciidoc txt tex org html htm xhtml',
  logs: 'log out err trace',
  code:
    'scala fs pl lua sh bash zsh ps1 sql r jl ex exs erl hs ml clj dart vue svelte css scss xml svg json jsonc yaml yml toml ini tf ' +
    'proto graphql',
};

const KINDS: ReadonlyMap<string, FileKind> = new Map([
  ...Object.values(parsedExtensions)
    .flat()
    .map((extension) => [extension, 'code'] as const),
  ...Object.entries(OTHERS).flatMap(([kind, extensions]) =>
    extensions.split(' ').map((extension) => [extension, kind as FileKind] as const),
  ),
]);

/** Returns the kind of a file, or `undefined` if its extension does not determine one. */
export function fileKindOf(path: string): FileKind | undefined {
  return KINDS.get(extensionOf(path)) ?? (ROTATED_LOG.test(path) ? 'logs' : undefined);
}

const ROTATED_LOG = /\.(?:log|out|err)\.\d+$/i;

/** Returns the extension of the last part of a path, or an empty string. */
export function extensionOf(path: string): string {
  return /\.([^./\\]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

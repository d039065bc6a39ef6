/** Ignorable parts of a signature. */
export const ignorableKinds = [
  'annotations',
  'attributes',
  'version-values',
  'values',
  'parameter-names',
] as const;

export type IgnorableKind = (typeof ignorableKinds)[number];

export interface DriftRules {
  /** Differences in nothing but these are noise. */
  ignore: readonly IgnorableKind[];
  /** Globs over paths of the repository. */
  ignorePaths: readonly string[];
  /** Whole names, members as `Owner.member`; `*` matches anything. */
  ignoreSymbols: readonly string[];
  /** `public`: what a user of the package can reach; `all`: whatever another file can. */
  visibility: 'public' | 'all';
}

/** Values of all constants count: only those that say which version it is change with every release. */
export const defaultRules: DriftRules = {
  ignore: ['annotations', 'attributes', 'version-values', 'parameter-names'],
  ignorePaths: [],
  ignoreSymbols: [],
  visibility: 'public',
};

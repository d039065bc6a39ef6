import type { FileFacts } from '../reading/facts.ts';
import { hashOfAll, type MergedSkeleton, mergeImports } from '../reading/skeleton.ts';

/** All files of the target as one; each export says where it lives. */
export function mergeSkeletons(label: string, files: readonly FileFacts[]): MergedSkeleton {
  const skeletons = files.map(({ skeleton }) => skeleton);
  const parseErrors = skeletons.flatMap(({ filePath, parseErrors: own = [] }) =>
    own.map(({ line, message }) => ({ line, message: `${filePath}: ${message}` })),
  );
  return {
    filePath: label,
    language: listed(skeletons.map(({ language }) => language)),
    loc: skeletons.reduce((sum, { loc }) => sum + loc, 0),
    exports: skeletons.flatMap(({ filePath, exports }) => exports.map((each) => ({ ...each, filePath }))),
    imports: mergeImports(skeletons.flatMap(({ imports }) => imports)),
    ...(parseErrors.length > 0 && { parseErrors }),
    hash: hashOfAll(skeletons),
    parserUsed: listed(skeletons.map(({ parserUsed }) => parserUsed)),
  };
}

function listed(values: readonly string[]): string {
  return [...new Set(values)].sort().join(', ');
}

import type { SkeletonExport } from '../reading/skeleton.ts';

/** An export as it is compared. */
export interface ComparedExport extends SkeletonExport {
  /** The source's own text, where `signature` was cut down to what counts. */
  written?: string;
}

/** An export and the file it is in. */
export interface Placed {
  path: string;
  language: string;
  symbol: ComparedExport;
}

export function writtenText({ symbol }: Placed): string {
  return symbol.written ?? symbol.signature;
}

/** An export, or a member of the `owner`, changed. */
export type Change = { owner?: string | undefined } & (
  | { kind: 'added'; after: Placed }
  | { kind: 'removed'; before: Placed }
  | { kind: 'renamed'; before: Placed; after: Placed }
  | { kind: 'moved'; before: Placed; after: Placed }
  | { kind: 'signature'; before: Placed; after: Placed }
);

/** As rules and reports call what changed. */
export function nameOf({ owner }: Change, { symbol }: Placed): string {
  return owner === undefined ? symbol.name : `${owner}.${symbol.name}`;
}

export interface Comparison {
  changes: Change[];
  /** Differences that were seen and mean nothing: formatting, comments, import order. */
  noise: number;
}

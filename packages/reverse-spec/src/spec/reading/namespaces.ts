import type { SkeletonExport } from './skeleton.ts';

const SEPARATORS: Readonly<Record<string, string>> = {
  cpp: '::',
  c: '::',
  rust: '::',
  ruby: '::',
  php: '\\',
};

/**
 * A namespace, package or module block declares nothing itself: what it holds is what the file exports, by its whole name.
 * One without a body (`pub mod a;`) and one with methods of its own (a module of Ruby) stay, the latter with those alone.
 */
export function openNamespaces(exports: readonly SkeletonExport[], language: string): SkeletonExport[] {
  return exports.flatMap((each) => (each.kind === 'namespace' ? opened(each, language) : [each]));
}

const OWN_KINDS: ReadonlySet<string> = new Set(['method', 'property', 'constructor']);

function opened(namespace: SkeletonExport, language: string): SkeletonExport[] {
  const { members = [], ...head } = namespace;
  if (members.length === 0) return [namespace];
  const own = language === 'ruby' ? members.filter(({ kind }) => OWN_KINDS.has(kind)) : [];
  const held = members.filter((member) => !own.includes(member));
  const separator = SEPARATORS[language] ?? '.';
  const lifted = held.map((member) => ({ ...member, name: `${head.name}${separator}${member.name}` }));
  return [...(own.length > 0 ? [{ ...head, members: own }] : []), ...openNamespaces(lifted, language)];
}

/** The last part of a whole name: what code inside the namespace, and the signature, say. */
export function plainName(name: string): string {
  return name.slice(Math.max(...[':', '\\', '.'].map((mark) => name.lastIndexOf(mark))) + 1);
}

import { createRequire } from 'node:module';
import type { LineIndex } from '@secateur/base/text/lines.ts';
import type { ts } from '@ts-morph/common';
import type { Declaration } from '../../outline.ts';
import { cleanDoc } from '../../tree/doc-comment.ts';
import type { DeclarationParts } from '../../tree/source.ts';

export type TypeScript = typeof ts;

/**
 * The TypeScript compiler, from a package that installs no second `tsc`. Loaded by `require`, because
 * `import()` would first scan 12 MB for export names.
 */
export const compiler: TypeScript = createRequire(import.meta.url)('@ts-morph/common').ts;
export const { SyntaxKind } = compiler;

/** A file that is being read. */
export interface TsSource {
  file: ts.SourceFile;
  text: string;
  lines: LineIndex;
  /** Whether the code is in a declaration file or a `declare` block. */
  isAmbient: boolean;
}

export function startOf({ file }: TsSource, node: ts.Node): number {
  return node.getStart(file);
}

export function textOf(source: TsSource, node: ts.Node): string {
  return source.text.slice(startOf(source, node), node.end);
}

export function lineRange(source: TsSource, node: ts.Node): { startLine: number; endLine: number } {
  return {
    startLine: source.lines.lineAt(startOf(source, node)),
    endLine: source.lines.lineAt(Math.max(node.end - 1, 0)),
  };
}

export interface TsParts
  extends Pick<Declaration, 'name' | 'kind' | 'exported'>,
    Pick<DeclarationParts, 'prefix' | 'end' | 'members'> {
  /** Offset of the body. */
  body?: number | undefined;
}

export function declare(source: TsSource, node: ts.Node, parts: TsParts): Declaration {
  const { name, kind, exported, prefix = '', body, end = body ?? node.end, members = [] } = parts;
  return {
    name,
    kind,
    signature: prefix + withoutEnd(source.text.slice(startOf(source, node), end)),
    doc: docOf(source, node),
    exported,
    members,
    ...lineRange(source, node),
    bodyStartLine: body === undefined ? undefined : source.lines.lineAt(body),
  };
}

/** Removes the final `;` or `,`. */
function withoutEnd(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(';') || trimmed.endsWith(',') ? trimmed.slice(0, -1).trimEnd() : trimmed;
}

/** Returns the offset of the `{` before members, or of the first member if there is none. */
export function braceBefore(source: TsSource, members: ts.NodeArray<ts.Node>): number {
  return source.text[members.pos - 1] === '{' ? members.pos - 1 : members.pos;
}

/** Returns the text of the last JSDoc block above a node, without its stars. */
export function docOf(source: TsSource, node: ts.Node): string | undefined {
  const { text } = source;
  const ranges = compiler.getLeadingCommentRanges(text, node.pos);
  const range = ranges?.findLast((each) => text.startsWith('/**', each.pos) && text[each.pos + 3] !== '/');
  return range === undefined ? undefined : cleanDoc(text.slice(range.pos, range.end));
}

export function hasModifier(node: ts.Node, kind: ts.SyntaxKind): boolean {
  const modifiers = (node as { modifiers?: ts.NodeArray<ts.ModifierLike> }).modifiers;
  return modifiers?.some((modifier) => modifier.kind === kind) ?? false;
}

/** Returns a name as other code writes it: `a-b` for `'a-b'`, but `[Symbol.iterator]` unchanged. */
export function nameText(source: TsSource, name: ts.Node | undefined): string {
  if (name === undefined) return '';
  if (compiler.isStringLiteral(name) || compiler.isNoSubstitutionTemplateLiteral(name)) return name.text;
  if (compiler.isIdentifier(name)) return compiler.idText(name);
  return textOf(source, name);
}

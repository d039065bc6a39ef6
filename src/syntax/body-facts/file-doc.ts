import type { Node } from 'web-tree-sitter';
import { commentKinds } from './node-kinds.ts';

const LICENCE = /copyright|licen[cs]e|spdx-|all rights reserved/i;
const ABOUT_FILE =
  /@(?:file|fileoverview|module|packageDocumentation|package)\b|^\s*\/\/!|^\s*\/\*!|^\W*Package \w+/;
/** A comment right before one of these is about the file: they have no words of their own. */
const HEADER =
  /^(?:package|import|use|using|from|#\s*(?:include|pragma|ifndef|import)|namespace|module|require|'use strict'|"use strict"|<\?php|@file:)/;
const MAX_TEXT = 2_000;

/** The words about the whole file: its first comment that is no licence and belongs to no declaration, or its doc string. */
export function fileDocOf(root: Node, text: string): string | undefined {
  const nodes = root.namedChildren.filter((node) => !OPENERS.has(node.type) && !isDirective(node));
  let at = 0;
  while (commentKinds.has(nodes[at]?.type ?? '')) {
    const block = commentBlock(nodes, at);
    if (!LICENCE.test(block.text) && isAboutFile(block)) return words(block.text);
    at = block.end + 1;
  }
  const first = nodes[at];
  return first && docStringOf(first, text);
}

const OPENERS: ReadonlySet<string> = new Set(['hash_bang_line', 'shebang', 'php_tag']);

/** A comment for tools, not for readers. */
function isDirective({ type, text }: Node): boolean {
  return (
    commentKinds.has(type) &&
    /^#\s*(?:-\*-|frozen_string_literal|encoding|typed|vim:)|^\/\/\s*(?:@ts-|go:build|\+build)/.test(text)
  );
}

interface CommentBlock {
  text: string;
  /** The place of its last comment. */
  end: number;
  next: Node | undefined;
  /** Lines between the block and what follows it. */
  gap: number;
}

/** Comments line after line are one. */
function commentBlock(nodes: readonly Node[], at: number): CommentBlock {
  let end = at;
  while (isAdjacentComment(nodes[end], nodes[end + 1])) end += 1;
  const next = nodes[end + 1];
  const block = nodes.slice(at, end + 1).map(({ text }) => text);
  const gap = next === undefined ? 2 : next.startPosition.row - (nodes[end]?.endPosition.row ?? 0);
  return { text: block.join('\n'), end, next, gap };
}

function isAdjacentComment(one: Node | undefined, next: Node | undefined): boolean {
  if (one === undefined || next === undefined || !commentKinds.has(next.type)) return false;
  const areLines = !one.text.startsWith('/*') && !next.text.startsWith('/*');
  return areLines && next.startPosition.row - one.endPosition.row <= 1;
}

function isAboutFile({ text, next, gap }: CommentBlock): boolean {
  if (ABOUT_FILE.test(text)) return true;
  if (next === undefined || commentKinds.has(next.type)) return gap > 1;
  return gap > 1 || HEADER.test(next.text);
}

/** Python: a string that is the first statement. */
function docStringOf(node: Node, text: string): string | undefined {
  const string = node.type === 'expression_statement' ? node.firstNamedChild : null;
  if (string?.type !== 'string') return undefined;
  const body = text.slice(string.startIndex, string.endIndex);
  return words(body.replace(/^[rRuUbB]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, ''));
}

function words(comment: string): string | undefined {
  const bare = comment
    .replace(/^\s*\/\*+!?|(?<!\*)\*+\/\s*$/g, '')
    .replace(/^[ \t]*(?:\/\/+!?|#+(?!\[)|\*(?!\*)|--)[ \t]?/gm, '')
    .replace(/^[ \t]*@(?:file|fileoverview|module|packageDocumentation|package)\b[ \t]*/gm, '')
    .trim();
  return bare === '' || /^[-=*_#/\s]+$/.test(bare) ? undefined : bare.slice(0, MAX_TEXT);
}

import { firstSentenceOf, withoutXml } from '@secateur/base/text/doc-words.ts';
import type { Node } from './node.ts';
import { commentKinds } from './node-kinds.ts';

const LICENCE =
  /copyright|licen[cs]ed? |licen[cs]e\b|spdx-|all rights reserved|this file is part of|permission is hereby granted|redistribution and use|public domain/i;
const ABOUT_FILE =
  /@(?:file|fileoverview|module|packageDocumentation|package)\b|^\s*\/\/!|^\s*\/\*!|^\W*Package \w+/;
/** Node types of statements that have no documentation. A comment right before one is about the file. */
const HEADER =
  /^(?:package|import|use|using|from|#\s*(?:include|pragma|ifndef|import)|namespace|module|require|<\?php|@file:)/;
const MAX_TEXT = 2_000;

/**
 * Returns the documentation of a file: the first comment that does not document a declaration, or Python's
 * doc string. Skips licences, rulers, shebangs and `'use strict'`.
 */
export function fileDocOf(
  root: Node,
  { text, language }: { text: string; language: string },
): string | undefined {
  const nodes = root.namedChildren.filter(
    (node) => node !== null && !OPENERS.has(node.type) && !isDirective(node),
  );
  let at = 0;
  while (commentKinds.has(nodes[at]?.type ?? '')) {
    const block = commentBlock(nodes, at);
    const said = !isLicence(block.text) && isAboutFile(block) ? wordsOf(block.text) : undefined;
    if (said !== undefined) return said;
    at = block.end + 1;
  }
  const first = nodes[at];
  return first && language === 'python' ? docStringOf(first, text) : undefined;
}

/** Comments that are only headings of the code below, such as `Module dependencies.` */
const BOILERPLATE =
  /^(?:(?:module|private|public|local|internal|external|core|third[- ]party) )?(?:dependencies|exports?|variables|imports|includes|constants|prototypes?|requires|globals)\.?$/i;

function isBoilerplate(words: string): boolean {
  const [first = '', ...rest] = words.split('\n').map((line) => line.trim());
  return BOILERPLATE.test(first) && rest.every((line) => line === '' || line.startsWith('@'));
}

/** Header written by editors: the name of the file, then of the project, such as `Date+ZIP.swift` and `ZIPFoundation`. */
const FILE_HEADER =
  /^[\w+.-]{1,80}\.\w{1,6}\n+[\w .+-]{1,60}(?=\n|$)\s*(?:Created by [^\n]{1,100}(?=\n|$)\s*)?/;

function wordsOf(comment: string): string | undefined {
  const bare = words(comment)?.replace(FILE_HEADER, '');
  const said = bare === '' ? undefined : bare;
  return said === undefined || isBoilerplate(said) ? undefined : said;
}

/** Whether a comment is a licence. A comment that mentions a licence only after its first paragraph is documentation. */
function isLicence(comment: string): boolean {
  const isMarked = ABOUT_FILE.test(comment);
  return LICENCE.test(isMarked ? (words(comment)?.split(/\n[^\S\n]{0,200}\n/)[0] ?? '') : comment);
}

const OPENERS: ReadonlySet<string> = new Set(['hash_bang_line', 'shebang', 'php_tag', 'declare_statement']);

/** Whether a node is a directive for tools, such as a shebang or `'use strict'`. */
function isDirective({ type, text }: Node): boolean {
  if (type === 'expression_statement') return /^(['"])use \w+\1;?$/.test(text);
  return commentKinds.has(type) && DIRECTIVE.test(text);
}

const DIRECTIVE =
  /^#\s*(?:!|-\*-|frozen_string_literal|encoding|coding|typed|vim:|pylint:|mypy:|ruff:|type:|rubocop:)|^\/\/\s*(?:@ts-|@flow|ReSharper |swift-tools-version|go:build|\+build|eslint|prettier|vim:)|^\/\*+\s*(?:eslint|globals?|istanbul|jshint|@flow|@jsx|prettier)\b/;

interface CommentBlock {
  text: string;
  /** Index of the block's last comment in the list of nodes. */
  end: number;
  next: Node | undefined;
  /** Number of rows between the block and the next node. */
  gap: number;
}

/** Returns a block of line comments on adjacent lines, or one block comment. */
function commentBlock(nodes: readonly Node[], at: number): CommentBlock {
  let end = at;
  while (isAdjacentComment(nodes[end], nodes[end + 1])) end += 1;
  const next = nodes[end + 1];
  const block = nodes.slice(at, end + 1).map(({ text }) => text.trimEnd());
  const gap = next === undefined ? 2 : next.startRow - (nodes[end]?.endRow ?? 0);
  return { text: block.join('\n'), end, next, gap };
}

function isAdjacentComment(one: Node | undefined, next: Node | undefined): boolean {
  if (one === undefined || next === undefined || !commentKinds.has(next.type)) return false;
  const areLines = !one.text.startsWith('/*') && !next.text.startsWith('/*');
  return areLines && next.startRow - one.endRow <= 1;
}

const MAX_HEADING = 40;

/** Whether a comment is a heading of the code below: `// ---- Types ----`, or a few words between two rulers. */
function isHeading(comment: string): boolean {
  if (!/^\W{0,9}[-=~*#]{4}/.test(comment) || !/[-=~*#]{4}\W{0,9}$/.test(comment)) return false;
  const bare = comment.replace(/[-=~*#/\s]+/g, ' ').trim();
  return bare.length <= MAX_HEADING && !bare.endsWith('.');
}

function isAboutFile({ text, next, gap }: CommentBlock): boolean {
  if (isHeading(text)) return false;
  if (ABOUT_FILE.test(text)) return true;
  if (next === undefined || commentKinds.has(next.type)) return gap > 1;
  return gap > 1 || HEADER.test(next.text);
}

/** Returns a doc string of Python: a string that is a whole statement. */
function docStringOf(node: Node, text: string): string | undefined {
  const string = node.type === 'expression_statement' ? node.firstNamedChild : null;
  if (string?.type !== 'string') return undefined;
  const body = text.slice(string.startIndex, string.endIndex);
  return words(body.replace(/^[rRuUbB]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, ''));
}

const WRAPPERS =
  /^(?:export_statement|decorated_definition|lexical_declaration|variable_declaration|expression_statement)$/;
const MAX_SENTENCE = 160;

/** Returns the comment right before a function, or the function's doc string. */
export function functionDoc(node: Node, text: string): string | undefined {
  const first = node.childForFieldName('body')?.firstNamedChild;
  const own = first?.type === 'expression_statement' ? docStringOf(first, text) : undefined;
  return own ?? commentBefore(node);
}

function commentBefore(node: Node): string | undefined {
  let outer = node;
  // In Ruby's tree the comment above the first method of a class is before the class body, not in it.
  const isWrapped = ({ parent, previousNamedSibling }: Node) =>
    WRAPPERS.test(parent?.type ?? '') || (parent?.type === 'body_statement' && previousNamedSibling === null);
  while (outer.parent !== null && isWrapped(outer)) outer = outer.parent;
  const lines: string[] = [];
  let row = outer.startRow;
  let before = outer.previousNamedSibling;
  while (
    before !== null &&
    row - before.endRow <= 1 &&
    (commentKinds.has(before.type) || before.type === 'attribute_item')
  ) {
    if (commentKinds.has(before.type)) lines.unshift(before.text.trimEnd());
    row = before.startRow;
    before = before.previousNamedSibling;
  }
  return lines.length === 0 ? undefined : words(lines.join('\n'));
}

export function firstSentence(doc: string | undefined): string | undefined {
  const paragraph = doc
    ?.split(/\n[^\S\n]{0,200}[\n@]/)[0]
    ?.replace(/\s+/g, ' ')
    .trim();
  if (
    paragraph === undefined ||
    paragraph === '' ||
    /^(?:@|#?(?:end)?region\b|eslint|TODO|FIXME|istanbul|c8 |noqa|noinspection|swiftlint:|rubocop:|-{3}|={3})/.test(
      paragraph,
    )
  )
    return undefined;
  const sentence = firstSentenceOf(paragraph);
  return sentence.length > MAX_SENTENCE ? `${sentence.slice(0, MAX_SENTENCE - 1)}…` : sentence;
}

function words(comment: string): string | undefined {
  const unmarked = comment
    .replace(/^\s*\/\*+!?|(?<!\*)\*+\/\s*$/g, '')
    .replace(/^[ \t]*(?:\/\/+!?|#+(?!\[)|\*(?!\*)|--)[ \t]?/gm, '');
  const bare = withoutXml(unmarked)
    .replace(/^[ \t]*@(?:file|fileoverview|module|packageDocumentation|package)\b[ \t]*/gm, '')
    .trim();
  return bare === '' || /^[-=*_#/\s]+$/.test(bare) ? undefined : bare.slice(0, MAX_TEXT);
}

import { isUtf8 } from 'node:buffer';
import { readRegularFile } from '@secateur/base/runtime/bounded-reading.ts';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { JsonPath } from '@secateur/base/text/json-edit.ts';
import { parseToml } from '@secateur/serving/config/config-file.ts';
import jsonc, { type Node, type ParseError } from 'jsonc-parser';

export interface FileChange {
  readonly path: string;
  /** Text of the file; `undefined` if it does not exist yet. */
  readonly before: string | undefined;
  readonly after: string;
  /** Mode of the written file. Default: that of the existing file, or 0600 for a new one. */
  readonly mode?: number;
}

/** The texts of all changed files, before and after the planned changes. */
export class Texts {
  readonly #before = new Map<string, string | undefined>();
  readonly #after = new Map<string, { text: string; mode: number | undefined }>();

  before(path: string): string | undefined {
    if (!this.#before.has(path)) this.#before.set(path, readClientFile(path));
    return this.#before.get(path);
  }

  get(path: string): string {
    return this.#after.get(path)?.text ?? this.before(path) ?? '';
  }

  /** Plans a new text for a file. Throws if it is not valid in the format of the file. */
  set(path: string, text: string, mode?: number): void {
    this.before(path);
    requireReadable(path, text);
    this.#after.set(path, { text, mode });
  }

  changes(): FileChange[] {
    const all = [...this.#after].map(([path, { text, mode }]) => ({
      path,
      before: this.#before.get(path),
      after: text,
      ...(mode !== undefined && { mode }),
    }));
    return all.filter(({ before, after }) => before !== after && !(before === undefined && after === ''));
  }
}

/** Throws if the text is not valid in the format of the file at `path`. */
export function requireReadable(path: string, text: string): void {
  try {
    if (path.endsWith('.toml')) parseToml(text, path);
    else if (/\.jsonc?$/.test(path)) parsedObject(text, path);
  } catch (cause) {
    throw new DomainError('cannot_write', `${path} could not be read any more after this change`, {
      hint: 'Nothing was changed. Please report this with the notation of the file; it has to be changed by hand.',
      cause,
    });
  }
}

const MAX_FILE_BYTES = 64 * 1024 * 1024;

/** Reads a client's settings file or a copy of one; `undefined` if it does not exist. */
export function readClientFile(path: string): string | undefined {
  const file = readRegularFile(path, { maxBytes: MAX_FILE_BYTES, followLinks: true });
  if (file.kind === 'read' && isUtf8(file.bytes)) return file.bytes.toString('utf8');
  if (file.kind === 'refused' && file.code === 'missing') return undefined;
  const reason = file.kind === 'read' ? 'is not UTF-8 text' : file.reason;
  throw new DomainError('cannot_read', `${path} ${reason}`, {
    hint: 'Nothing was changed. Move it away or repair it, then run the command again.',
  });
}

/**
 * The functions below change single values in JSON that people edit. Comments, trailing commas, large numbers
 * and all bytes outside of the value are kept.
 */

/** Parses a JSON object. An empty file counts as an empty object. Throws `cannot_read` with the line number. */
export function parsedObject(text: string, path: string): Fields {
  const { value, error } = parse(text);
  if (error === undefined && (value === undefined || isFields(value))) return value ?? {};
  const line = text.slice(0, error?.offset ?? 0).split('\n').length;
  const what = error === undefined ? 'is not a JSON object' : `is not JSON: line ${line}: ${nameOf(error)}`;
  throw new DomainError('cannot_read', `${path} ${what}`, {
    hint: 'Nothing was changed. Repair the file, then run the command again.',
  });
}

/** Returns the text with `value` at `path`. Creates the objects above it if they are missing. */
export function setValue(text: string, path: JsonPath, value: unknown): string {
  const root = rootOf(text);
  const found = nodeAt(root, path);
  if (found !== undefined) return splice(text, found, printed(value, marginOf(text, found.offset)));
  const { parent, rest } = deepest(root, path);
  const [key, ...inner] = rest;
  if (parent.type !== 'object' || key === undefined) return text;
  const nested = inner.reduceRight<unknown>((within, step) => ({ [step]: within }), value);
  return withItem(text, parent, (margin) => `${JSON.stringify(key)}: ${printed(nested, margin)}`);
}

/** Returns the text with a new item at the end of the list at `path`. Creates the list if it is missing. */
export function appendValue(text: string, path: JsonPath, value: unknown): string {
  const list = nodeAt(rootOf(text), path);
  if (list?.type !== 'array') return setValue(text, path, [value]);
  return withItem(text, list, (margin) => printed(value, margin));
}

/** Removes the member or item at `path`. Also removes containers that become empty, unless `before` has them. */
export function removeValue(text: string, path: JsonPath, before: string): string {
  const value = nodeAt(rootOf(text), path);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  if (node?.parent === undefined) return text;
  const left = withoutItem(text, node, node.parent);
  const container = path.slice(0, -1);
  const isEmpty = nodeAt(rootOf(left), container)?.children?.length === 0;
  const isNew = container.length > 0 && nodeAt(rootOf(before), container) === undefined;
  return isEmpty && isNew ? removeValue(left, container, before) : left;
}

/** Undoes `setValue`: restores the value that `before` has at `path`, with its comments, or removes the value. */
export function undoValue(text: string, path: JsonPath, before: string): string {
  const old = rootOf(before);
  const replaced = path.findIndex((_, at) => {
    const node = nodeAt(old, path.slice(0, at + 1));
    return node !== undefined && (node.type !== 'object' || at === path.length - 1);
  });
  if (replaced === -1) return removeValue(text, path, before);
  const at = path.slice(0, replaced + 1);
  const [now, then] = [nodeAt(rootOf(text), at), nodeAt(old, at)];
  if (now === undefined || then === undefined) return text;
  return splice(text, now, before.slice(then.offset, endOf(then)));
}

function parse(text: string): { root?: Node; value?: unknown; error?: ParseError } {
  const errors: ParseError[] = [];
  // Replaces a byte order mark by a space, so that offsets stay the same.
  const lenient = { allowTrailingComma: true, allowEmptyContent: true };
  const root = jsonc.parseTree(text.replace(/^\uFEFF/, ' '), errors, lenient);
  const [error] = errors;
  return { ...(root && { root, value: jsonc.getNodeValue(root) }), ...(error && { error }) };
}

function nameOf({ error }: ParseError): string {
  return jsonc
    .printParseErrorCode(error)
    .replaceAll(/([a-z])(?=[A-Z])/g, '$1 ')
    .toLowerCase();
}

const EMPTY: Node = { type: 'object', offset: 0, length: 0, children: [] };

function rootOf(text: string): Node {
  return parse(text).root ?? EMPTY;
}

/** Returns a member or an item. Of duplicate keys the last is valid, as in `JSON.parse`. */
function childOf(node: Node, step: string | number): Node | undefined {
  if (typeof step === 'number') return node.type === 'array' ? node.children?.[step] : undefined;
  if (node.type !== 'object') return undefined;
  return node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1];
}

function nodeAt(root: Node, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => node && childOf(node, step), root);
}

function deepest(root: Node, path: JsonPath): { parent: Node; rest: JsonPath } {
  const [step, ...rest] = path;
  const child = step === undefined ? undefined : childOf(root, step);
  return child === undefined ? { parent: root, rest: path } : deepest(child, rest);
}

function splice(text: string, { offset, length }: Pick<Node, 'offset' | 'length'>, put: string): string {
  return text.slice(0, offset) + put + text.slice(offset + length);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function printed(value: unknown, margin: string): string {
  return JSON.stringify(value, null, 2).replaceAll('\n', `\n${margin}`);
}

/** Returns the indentation of the line that contains the offset `at`. */
function marginOf(text: string, at: number): string {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, at))?.[0] ?? '';
}

function withItem(text: string, parent: Node, print: (margin: string) => string): string {
  const closing = endOf(parent) - 1;
  const inside = text.slice(parent.offset + 1, closing);
  const last = parent.children?.at(-1);
  const outer = marginOf(text, parent.offset);
  const isOnLines = inside.includes('\n');
  const margin = last !== undefined && isOnLines ? marginOf(text, last.offset) : `${outer}  `;
  // A comment after the last item may be about this item, so new text is inserted after the comment.
  const at = parent.offset + 1 + inside.trimEnd().length;
  const comma = last === undefined || commaAfter(text, last) !== undefined ? '' : ',';
  const end = last === undefined ? at : endOf(last);
  const tail = isOnLines ? '' : `\n${outer}`;
  return `${text.slice(0, end)}${comma}${text.slice(end, at)}\n${margin}${print(margin)}${tail}${text.slice(isOnLines ? at : closing)}`;
}

function withoutItem(text: string, node: Node, parent: Node): string {
  const siblings = parent.children ?? [];
  const previous = siblings[siblings.indexOf(node) - 1];
  const own = commaAfter(text, node);
  const comma = own ?? (previous && commaAfter(text, previous));
  let start = node.offset;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start -= 1;
  const isNext = own !== undefined && text.slice(endOf(node), own).trim() === '';
  const rest = isNext ? own + 1 : endOf(node);
  // If the value is alone on its line, the whole line is removed.
  if (text[start - 1] === '\n' && /^[ \t]*(?:\n|$)/.test(text.slice(rest))) start -= 1;
  const left = splice(text, { offset: start, length: endOf(node) - start }, '');
  if (comma === undefined) return left;
  const offset = comma < start ? comma : comma - (endOf(node) - start);
  return splice(left, { offset, length: 1 }, '');
}

/** Returns the offset of the comma after a node. Comments before the comma are skipped. */
function commaAfter(text: string, node: Node): number | undefined {
  const scanner = jsonc.createScanner(text, true);
  scanner.setPosition(endOf(node));
  scanner.scan();
  const at = scanner.getTokenOffset();
  return text[at] === ',' ? at : undefined;
}

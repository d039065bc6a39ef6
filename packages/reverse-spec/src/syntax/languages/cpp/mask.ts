import { blank } from '../../tree/hiding.ts';
import { maskMacros } from '../c/mask.ts';

/** What C hides, and what the grammar of C++ stumbles over: macros among template parameters, `{}` as a default. */
export function maskCpp(text: string): string {
  return maskTemplateHeads(maskMacros(text))
    .replace(EMPTY_DEFAULT, (whole) => whole.replace('{}', '0 '))
    .replace(UNNAMED_ENUM_BASE, blank)
    .replace(CAST, (whole) => '_'.repeat(whole.length))
    .replace(MADE_VALUE, blank)
    .replace(TAKEN_TYPE, blank)
    .replace(TRAIT_VALUE, (whole) => '_'.repeat(whole.length))
    .replace(SHIELDED_NAME, ' $1 ');
}

/** `locale loc = {})` before a trailing return type. */
const EMPTY_DEFAULT = /=\s*\{\}(?=\s*[,)])/g;

/** `enum : unsigned {` */
const UNNAMED_ENUM_BASE = /(?<=\benum)\s{0,40}:\s{0,40}[\w:]{1,200}(?:\s{1,40}\w{1,80}){0,6}(?=\s{0,40}\{)/g;

/** `unsigned(size)`: to the grammar these words are only types. */
const CAST = /\b(?:unsigned|signed|long|short)(?=\((?![*&)]))/g;

/** `typename T::value_type()` as a value. */
const MADE_VALUE = /\btypename(?=\s+[\w:]+\(\))/g;

/** `using typename Base::pointer;` */
const TAKEN_TYPE = /(?<=\busing[ \t]{1,9})typename\b/g;

/** `is_same_v<A, B<C>>)`: the grammar takes the angles for comparisons and a shift. */
const TRAIT_VALUE = /\b[a-z][a-z_]{1,60}_v<[^;{}()\n]{1,200}>(?=[ \t]{0,9}(?:\)|&&|\|\|))/g;

/** `result_type(min)()`: parentheses that keep a macro of the same name away. */
const SHIELDED_NAME = /\((min|max)\)(?=\s*\()/g;

const TEMPLATE = /\btemplate\s*</g;

function maskTemplateHeads(text: string): string {
  const parts: string[] = [];
  let at = 0;
  for (const { index, 0: opening } of text.matchAll(TEMPLATE)) {
    if (index < at) continue;
    const end = headEnd(text, index + opening.length);
    parts.push(text.slice(at, index), maskHead(text.slice(index, end)));
    at = end;
  }
  return parts.join('') + text.slice(at);
}

const MAX_HEAD = 4_000;

/** Where the angle of a template closes; brackets inside parentheses are comparisons. */
function headEnd(text: string, from: number): number {
  let angles = 1;
  for (let at = from; at < Math.min(text.length, from + MAX_HEAD); at++) {
    const character = text[at] ?? '';
    if (character === '(') at = closing(text, at);
    angles += STEPS[character] ?? 0;
    if (angles === 0) return at + 1;
    if (character === ';' || character === '{') return from;
  }
  return from;
}

const STEPS: Readonly<Record<string, number>> = { '<': 1, '>': -1 };

/** `ENABLE_IF(!x)` becomes a parameter without a name; the signature quotes the text itself. */
function maskHead(head: string): string {
  return maskCalls(head).replace(
    CONST_POINTER,
    (_, before: string, type: string) => before + type.replace(/const|\*/g, blank),
  );
}

/** `typename Ptr = const T*` */
const CONST_POINTER = /(=\s*)(const\s+\w+\s*\*+)/g;

const CALL = /(?<=[<,]\s{0,40})[A-Z][A-Z0-9_]{3,80}(?=\s{0,40}\()/;

function maskCalls(head: string): string {
  const call = CALL.exec(head);
  if (call === null) return head;
  const close = closing(head, head.indexOf('(', call.index));
  const whole = head.slice(call.index, close + 1);
  const after = maskCalls(head.slice(close + 1));
  return `${head.slice(0, call.index)}class${blank(whole.slice('class'.length))}${after}`;
}

function closing(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '(') depth++;
    if (text[at] === ')' && --depth === 0) return at;
  }
  return text.length - 1;
}

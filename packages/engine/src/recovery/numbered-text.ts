/** A text with the numbering of its lines in one entry of a store: neither is ever there without the other. */
import type { Numbering } from '@secateur/base/text/line-numbering.ts';

export interface NumberedText {
  readonly text: string;
  /** Line numbers in the markers of its cut; without this they count from 1. */
  readonly numbering?: Numbering | undefined;
}

/** No text of a tool begins like this; one that does gets a first line all the same. */
const MARK = '\u0000✂ line numbers ';

export function packText({ text, numbering }: NumberedText): string {
  if (numbering === undefined) return text.startsWith(MARK) ? `${MARK}1\n${text}` : text;
  return `${MARK}${numbering.kind === 'shown' ? 'shown' : numbering.firstLine}\n${text}`;
}

export function unpackText(entry: string): NumberedText {
  if (!entry.startsWith(MARK)) return { text: entry };
  const end = entry.indexOf('\n');
  const said = entry.slice(MARK.length, end);
  return { text: entry.slice(end + 1), numbering: numberingFrom(said) };
}

function numberingFrom(said: string): Numbering | undefined {
  if (said === 'shown') return { kind: 'shown' };
  const firstLine = Number(said);
  return firstLine > 1 ? { kind: 'from', firstLine } : undefined;
}

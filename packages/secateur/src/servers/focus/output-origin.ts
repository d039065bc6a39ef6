import { firstErrorLine } from '@secateur/base/text/failure-words.ts';
import type { Origin as TextOrigin } from '@secateur/engine/origin.ts';
import { isReadWhole, kindOfText, type TextKind } from '@secateur/engine/text-kind.ts';

/** The tool that printed a text, and its source. */
export type OutputOrigin =
  | { tool: 'read'; path: string }
  | { tool: 'bash'; command: string }
  | { tool: 'grep'; pattern: string };

type OutputKind = { kind: 'whole'; why: string } | { kind: 'prunable'; texts: PrunableText[] };

export interface PrunableText extends TextKind {
  text: string;
}

/** Decides by its kind how an output is pruned. If it has to be read exactly, none of its texts is pruned. */
export function readOutput(output: OutputOrigin, texts: readonly string[]): OutputKind {
  const origin = textOrigin(output);
  const read = texts.map((text) => ({ text, ...kindOfText(origin, text) }));
  const all = texts.join('');
  if (isReadWhole(origin, all)) return WHOLE;
  return { kind: 'prunable', texts: read };
}

export function textOrigin(output: OutputOrigin): TextOrigin {
  if (output.tool === 'bash') return { kind: 'command', command: output.command };
  if (output.tool === 'read') return { kind: 'file', path: output.path };
  return { kind: 'search', pattern: output.pattern };
}

const WHOLE: OutputKind = {
  kind: 'whole',
  why: 'diffs and git output of up to 20,000 characters are never pruned',
};

/** Whatever pruned a command's output, the first error it printed is still there; a pruner that dropped it is corrected. */
export function firstErrorSurvives({ tool }: OutputOrigin, raw: string, pruned: string): string {
  if (tool !== 'bash') return pruned;
  const error = firstErrorLine(raw);
  if (error === undefined || pruned.includes(error)) return pruned;
  return `${error}\n${pruned}`;
}

import { scoreLexically } from '../../packages/engine/src/ranking/lexical-scorer.ts';
import { type Focus, goalText } from '../../packages/engine/src/ranking/scorer.ts';
import type { AgentStep, CutOutput } from '../../packages/secateur/src/replay/replay.ts';
import { byScore, fill } from '../quality/rivals.ts';

/** Used lines that each way of choosing shows in the outputs we cut, given as many characters as our answer has, markers counted. */
export interface EqualCharacters {
  used: number;
  ours: number;
  bm25: number;
  headAndTail: number;
}

export interface OurCut {
  step: AgentStep;
  focus: Focus;
  cut: CutOutput;
  used: readonly number[];
}

export function compare({ step, focus, cut, used }: OurCut): EqualCharacters {
  const lines = step.output.split('\n');
  const hidden = (line: number) => cut.gaps.some(({ start, end }) => line >= start && line <= end);
  const { scores } = scoreLexically({
    lines,
    focus: { question: goalText(focus) },
  });
  const shown = (order: readonly number[]) => {
    const kept = fill(order, lines, cut.text.length);
    return used.filter((line) => kept.has(line - 1)).length;
  };
  return {
    used: used.length,
    ours: used.filter((line) => !hidden(line)).length,
    bm25: shown(byScore(scores)),
    headAndTail: shown(lines.map((_, at) => (at % 2 === 0 ? at / 2 : lines.length - (at + 1) / 2))),
  };
}

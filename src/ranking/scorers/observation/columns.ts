import { COMMAND_KINDS, type CommandKind, commandKind } from '../../command-kind.ts';
import { bareLine } from '../../focus/bare-line.ts';
import type { Focus } from '../../focus.ts';
import { isBareLineShown } from '../../shown.ts';
import { blurred, type Column, type ColumnGroup, gathered } from '../local/features/columns.ts';
import type { Features } from '../local/features.ts';
import { networkColumns } from './network-columns.ts';
import { noveltyColumn } from './novelty.ts';
import { pathColumns } from './paths.ts';

/** All that is known of an observation: its lines, the agent's focus, and what the network made of both. */
export interface Observation {
  lines: readonly string[];
  focus: Focus;
  features: Features;
  scores: Float64Array;
}

/** By name; the trees pick what they were trained on. */
export interface ObservationColumns {
  columns: ReadonlyMap<string, Column>;
  constants: Readonly<Record<string, number>>;
}

export function observationColumns(observation: Observation): ObservationColumns {
  const { lines, focus, features } = observation;
  const bare = lines.map(bareLine);
  const seen = seenColumn(bare, focus.seen);
  const novel = noveltyColumn(features, focus.seen);
  return {
    columns: gathered(
      [
        networkColumns(observation.scores),
        formColumns(bare),
        pathColumns(lines, focus),
        {
          'run.seen': seen,
          'run.seenNear': blurred(seen, 3),
          'run.novel': novel,
          'run.novelNear': blurred(novel, 2),
        },
      ],
      new Map(features.columns),
    ),
    constants: {
      ...features.constants,
      ...commandConstants(observation),
      'run.known': Math.log1p(focus.seen?.size ?? 0) / 8,
      'run.seenShare': mean(seen),
      'run.novelShare': mean(novel),
    },
  };
}

function seenColumn(bare: readonly string[], seen: Focus['seen']): Column {
  const column = new Float32Array(bare.length);
  if (seen === undefined || seen.size === 0) return column;
  for (const [line, text] of bare.entries()) if (isBareLineShown(text, seen)) column[line] = 1;
  return column;
}

const SHORT = 24;

function formColumns(bare: readonly string[]): ColumnGroup {
  const total = bare.length;
  const counts = new Map<string, number>();
  for (const text of bare) counts.set(text, (counts.get(text) ?? 0) + 1);
  const length = new Float32Array(total);
  const short = new Float32Array(total);
  const repeated = new Float32Array(total);
  const fromTop = new Float32Array(total);
  const fromEnd = new Float32Array(total);
  for (const [line, text] of bare.entries()) {
    length[line] = Math.log1p(text.length) / 4;
    short[line] = text.length < SHORT ? 1 : 0;
    repeated[line] = Math.log(counts.get(text) ?? 1);
    fromTop[line] = Math.log1p(line) / 5;
    fromEnd[line] = Math.log1p(total - 1 - line) / 5;
  }
  return {
    'bare.length': length,
    'bare.short': short,
    'bare.repeated': repeated,
    'bare.fromTop': fromTop,
    'bare.fromEnd': fromEnd,
  };
}

function commandConstants({ lines, focus }: Observation): Record<string, number> {
  const command = focus.command ?? '';
  const kind = commandKind(command);
  const characters = lines.reduce((sum, line) => sum + line.length + 1, 0);
  return {
    ...Object.fromEntries(
      COMMAND_KINDS.map((each: CommandKind) => [`command.${each}`, each === kind ? 1 : 0]),
    ),
    'command.length': Math.log1p(command.length) / 6,
    'command.cut': /\|\s*(?:head|tail)\b/.test(command) ? 1 : 0,
    'command.hereDocument': command.includes('<<') ? 1 : 0,
    'command.range': /\bsed -n\b/.test(command) ? 1 : 0,
    'output.lines': Math.log1p(lines.length) / 5,
    'output.characters': Math.log1p(characters) / 8,
    'focus.question': Math.log1p(focus.question.length) / 6,
    'focus.verifies': /\b(?:verify|confirm|check that|make sure|double.?check|ensure)\b/i.test(focus.question)
      ? 1
      : 0,
  };
}

function mean(column: Column): number {
  let sum = 0;
  for (const value of column) sum += value;
  return sum / Math.max(1, column.length);
}

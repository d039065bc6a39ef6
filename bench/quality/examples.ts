import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { splitLines } from '../../packages/base/src/text/lines.ts';
import type { SourceType } from '../../packages/engine/src/ranking/scorer.ts';

/** A text, a goal, and the lines a good pruning keeps. */
export interface Example {
  id: string;
  set: string;
  /** Repository or document: what an interval is resampled by, and what a fold holds out. */
  group: string;
  sourceType: SourceType;
  goal: string;
  text: string;
  lines: string[];
  /** 0-based. */
  gold: ReadonlySet<number>;
}

interface Row {
  id: string;
  source_type: SourceType;
  goal_hint: string;
  text: string;
  gold_lines: number[];
  meta: { group?: string };
}

/** All `*.jsonl` of a folder by set, at most `sample` a set, evenly picked; a `dev.tar.gz` is unpacked for the while. */
export function readSets(folder: string, sample: number): Map<string, Example[]> {
  const archive = join(folder, 'dev.tar.gz');
  if (!existsSync(archive)) return readFolder(folder, sample);
  const unpacked = mkdtempSync(join(tmpdir(), 'quality-'));
  try {
    execFileSync('tar', ['xzf', archive, '-C', unpacked]);
    return readFolder(join(unpacked, 'dev'), sample);
  } finally {
    rmSync(unpacked, { recursive: true });
  }
}

function readFolder(folder: string, sample: number): Map<string, Example[]> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort();
  return new Map(
    files.map((name) => {
      const set = name.slice(0, -'.jsonl'.length);
      const rows = readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((row) => row !== '');
      const step = Math.max(1, rows.length / sample);
      const picked = rows.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
      return [
        set,
        picked.map((row) => toExample(JSON.parse(row) as Row, set)).filter(({ gold }) => gold.size > 0),
      ];
    }),
  );
}

function toExample(row: Row, set: string): Example {
  const lines = splitLines(row.text);
  return {
    id: row.id,
    set,
    group: (row.meta.group ?? row.id).toLowerCase(),
    sourceType: row.source_type,
    goal: row.goal_hint,
    text: row.text,
    lines,
    gold: new Set(row.gold_lines.map((line) => line - 1).filter((line) => line < lines.length)),
  };
}

const FOLDS = 4;

/** The fold that held this group out of its training; the same rule as in training/dataset.py. */
export function foldOf(group: string): number {
  return crc32(group) % FOLDS;
}

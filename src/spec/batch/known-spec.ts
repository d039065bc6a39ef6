import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFrontMatter } from '../document/front-matter.ts';
import type { SpecModule } from './modules.ts';

/** What an existing spec says about itself. */
export interface KnownSpec {
  version: string;
  skeletonHash: string;
  model: string;
  lastUpdated: string;
  confidence: string;
  /** The first lines of its first section. */
  intent: string;
}

export interface Wish {
  model: string;
  /** Only specs written since count; all of them when there is no such moment. */
  writtenSince: string | undefined;
}

export async function readKnownSpecs(
  outputDir: string,
  modules: readonly SpecModule[],
): Promise<Map<string, KnownSpec>> {
  const known = new Map<string, KnownSpec>();
  for (const { label, specName } of modules) {
    const spec = await readKnownSpec(outputDir, specName);
    if (spec !== undefined) known.set(label, spec);
  }
  return known;
}

export async function readKnownSpec(outputDir: string, specName: string): Promise<KnownSpec | undefined> {
  const text = await readFile(join(outputDir, specName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const {
    version = 'v1',
    skeletonHash = '',
    model = '',
    lastUpdated = '',
    confidence = 'low',
  } = readFrontMatter(text);
  return { version, skeletonHash, model, lastUpdated, confidence, intent: intentOf(text) };
}

/** Same structure, same or better writer: a spec from the AST alone gives way to a model, never the other way round. */
export function isUpToDate(
  spec: KnownSpec | undefined,
  module: SpecModule,
  { model, writtenSince }: Wish,
): boolean {
  if (spec === undefined || spec.skeletonHash !== module.skeletonHash) return false;
  if (spec.model === 'ast-only' && model !== 'ast-only') return false;
  return writtenSince === undefined || spec.lastUpdated >= writtenSince;
}

const MAX_INTENT = 300;

function intentOf(document: string): string {
  const section = /^## 意图\r?\n([\s\S]*?)^## /m.exec(document)?.[1] ?? '';
  const flat = section.replace(/\s+/g, ' ').trim();
  return flat.length > MAX_INTENT ? `${flat.slice(0, MAX_INTENT)}…` : flat;
}

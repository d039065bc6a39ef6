import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBaselineOf } from '../writing/document/baseline-file.ts';
import { readDocumentText } from '../writing/document/document-text.ts';
import { readFrontMatter } from '../writing/document/front-matter.ts';
import { firstSentence } from '../writing/document/interface-section.ts';
import { type Origins, type Recorded, type RenewalReason, renewalReasons } from '../writing/freshness.ts';
import type { SpecModule } from './modules.ts';

/** Facts an existing spec states about itself. */
export interface KnownSpec {
  version: string;
  lastUpdated: string;
  confidence: string;
  recorded: Recorded;
  hasBaseline: boolean;
  hasCriteria: boolean;
  /** First sentence of its first section: the purpose of the whole. */
  intent: string;
}

export async function readKnownSpecs(
  outputDir: string,
  modules: readonly Pick<SpecModule, 'label' | 'specName'>[],
): Promise<Map<string, KnownSpec>> {
  const known = new Map<string, KnownSpec>();
  for (const { label, specName } of modules) {
    const spec = await readKnownSpec(outputDir, specName);
    if (spec !== undefined) known.set(label, spec);
  }
  return known;
}

/** Part of a spec that the index shows. */
export type SpecHead = Pick<KnownSpec, 'confidence' | 'intent'>;

export async function readSpecHead(outputDir: string, specName: string): Promise<SpecHead | undefined> {
  const text = await readFile(join(outputDir, specName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  return { confidence: readFrontMatter(text).confidence ?? 'low', intent: intentOf(text) };
}

export async function readKnownSpec(outputDir: string, specName: string): Promise<KnownSpec | undefined> {
  const specPath = join(outputDir, specName);
  const text = await readFile(specPath, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const {
    version = 'v1',
    lastUpdated = '',
    confidence = 'low',
    degraded,
    criteria,
    ...rest
  } = readFrontMatter(text);
  return {
    version,
    lastUpdated,
    confidence,
    recorded: { ...rest, degraded: degraded === 'true' },
    hasCriteria: criteria === 'true',
    hasBaseline: (await readBaselineOf(specPath, text)).kind === 'read',
    intent: intentOf(text),
  };
}

export interface RenewalRequest {
  /** Inputs the document would be made from now. */
  origins: Omit<Origins, 'bodiesHash'>;
  /** Only specs written since then count; all of them if undefined. */
  writtenSince: string | undefined;
  /** Acceptance criteria were asked for. */
  criteria: boolean;
}

/** Empty if the spec may stay as it is. */
export function reasonsToWrite(
  spec: KnownSpec | undefined,
  { origins, writtenSince, criteria }: RenewalRequest,
): RenewalReason[] {
  if (spec !== undefined && writtenSince !== undefined && spec.lastUpdated < writtenSince) return ['forced'];
  const reasons = renewalReasons(spec?.recorded, origins);
  if (spec === undefined) return reasons;
  return [
    ...reasons,
    ...(spec.hasBaseline ? [] : ['baseline' as const]),
    ...(criteria && !spec.hasCriteria ? ['criteria' as const] : []),
  ];
}

/** Paragraphs alone: a list is about single files. */
function intentOf(document: string): string {
  const section = readDocumentText(document).sections.find(({ id }) => id === 'intent')?.body ?? '';
  const [first = ''] = section.trim().split(/\n\s{0,200}\n/);
  return /^[-*+] /.test(first) ? '' : firstSentence(first);
}

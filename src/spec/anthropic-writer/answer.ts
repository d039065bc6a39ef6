import { type Prose, type ProseSection, proseSections } from '../prose.ts';

/** What the model is asked to fill in: one Markdown text a section. */
export const answerSchema: Record<string, unknown> = {
  type: 'object',
  properties: Object.fromEntries(proseSections.map((section) => [section, { type: 'string' }])),
  required: [...proseSections],
  additionalProperties: false,
};

/**
 * The sections of an answer. It should be the JSON that was asked for, but a gateway may ignore the schema and a long
 * answer may be cut: a fence around it is taken off, and of a broken object the complete sections are kept.
 */
export function readAnswer(text: string): Prose {
  const start = text.indexOf('{');
  if (start === -1) return {};
  const body = text.slice(start);
  return pick(parse(body.slice(0, body.lastIndexOf('}') + 1)) ?? salvage(body));
}

function parse(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const COMPLETE_PAIR = /"(\w+)"\s*:\s*("(?:[^"\\]|\\[\s\S])*")/g;

function salvage(body: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, key = '', value = ''] of body.matchAll(COMPLETE_PAIR)) {
    found[key] ??= parse(`{"value":${value}}`)?.value;
  }
  return found;
}

function pick(values: Record<string, unknown>): Prose {
  const prose: Prose = {};
  for (const section of proseSections) {
    const text = plain(values[section]);
    if (text !== undefined) prose[section satisfies ProseSection] = text;
  }
  return prose;
}

/** Some models answer a list where a text was asked for. */
function plain(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value;
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) {
    return value.length === 0 ? undefined : value.map((each) => `- ${each}`).join('\n');
  }
  return undefined;
}

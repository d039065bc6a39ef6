import type { Origin } from '../config/origin.ts';
import type { Config } from '../config/settings.ts';
import type { ReverseSpecParts } from '../servers/reverse-spec/server.ts';
import { anthropicWriter } from '../spec/anthropic-writer.ts';
import { readingParts } from './reading-parts.ts';
import type { Terminal } from './terminal.ts';

/** The settings as the spec tools want them. */
export function reverseSpecParts(
  config: Config['reverseSpec'],
  origin: Origin,
  terminal: Terminal,
): ReverseSpecParts {
  const { anthropicApiKey: apiKey, anthropicBaseUrl: baseUrl, model } = config;
  const log = (line: string) => terminal.note(line);
  return {
    ...readingParts(config, origin),
    concurrency: config.concurrency,
    outputDir: config.outputDir,
    ...(config.language && { language: config.language }),
    defaultLanguage: 'zh',
    embedBaseline: config.baseline === 'embedded',
    modelWriter: apiKey === undefined ? undefined : anthropicWriter({ apiKey, baseUrl, model, log }),
  };
}

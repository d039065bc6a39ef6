import { existsSync } from 'node:fs';
import type { Origin } from '../config/origin.ts';
import type { Config } from '../config/settings.ts';
import { systemClock } from '../runtime/clock.ts';
import { packageVersion } from '../runtime/package-version.ts';
import type { ReverseSpecParts } from '../servers/reverse-spec/server.ts';
import { anthropicWriter } from '../spec/anthropic-writer.ts';
import { sourceWorkerUrl } from '../spec/source-worker-url.ts';
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
    clock: systemClock,
    cwd: origin.cwd,
    version: packageVersion(),
    maxFileBytes: config.maxFileBytes,
    tokenBudget: config.tokenBudget,
    concurrency: config.concurrency,
    outputDir: config.outputDir,
    cacheDir: config.cacheDir,
    ...(existsSync(sourceWorkerUrl) && { workerUrl: sourceWorkerUrl }),
    modelWriter: apiKey === undefined ? undefined : anthropicWriter({ apiKey, baseUrl, model, log }),
  };
}

import { existsSync } from 'node:fs';
import type { Origin } from '../config/origin.ts';
import type { Config } from '../config/settings.ts';
import { systemClock } from '../runtime/clock.ts';
import { packageVersion } from '../runtime/package-version.ts';
import type { ReadingParts } from '../spec/reading-parts.ts';
import { sourceWorkerUrl } from '../spec/source-worker-url.ts';

/** The settings as whoever only reads sources wants them. */
export function readingParts(config: Config['reverseSpec'], origin: Origin): ReadingParts {
  return {
    clock: systemClock,
    cwd: origin.cwd,
    version: packageVersion(),
    maxFileBytes: config.maxFileBytes,
    tokenBudget: config.tokenBudget,
    cacheDir: config.cacheDir,
    ...(config.language && { messageLanguage: config.language }),
    globs: { include: config.include, exclude: config.exclude },
    ...(existsSync(sourceWorkerUrl) && { workerUrl: sourceWorkerUrl }),
  };
}

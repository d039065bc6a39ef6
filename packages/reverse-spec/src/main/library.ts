import { homedir } from 'node:os';
import {
  type BatchOptions,
  type BatchResult,
  type CallOptions,
  type DriftOptions,
  type DriftReport,
  type GenerateOptions,
  type GenerateResult,
  openReverseSpec,
  type PrepareOptions,
  type PrepareResult,
} from '../cli/library.ts';

export type {
  BatchOptions,
  BatchResult,
  CallOptions,
  DriftOptions,
  DriftReport,
  GenerateOptions,
  GenerateResult,
  PrepareOptions,
  PrepareResult,
};

/**
 * Reverse-spec as a library:
 *
 *     import { generateSpec } from 'reverse-spec';
 *     const { specPath, warnings } = await generateSpec('src/auth', { astOnly: true, lang: 'en' });
 *
 * Reads a file or folder and returns its skeletons and the context that a model would be given. No model is asked.
 */
export function prepareContext(targetPath: string, options: PrepareOptions = {}): Promise<PrepareResult> {
  return openFor(options).prepareContext(targetPath, options);
}

/** Writes the specification of a file or folder. Without `astOnly`, the model in the settings is asked. */
export function generateSpec(targetPath: string, options: GenerateOptions = {}): Promise<GenerateResult> {
  return openFor(options).generateSpec(targetPath, options);
}

/** Writes the specifications of all new or changed modules of a project, and their index. */
export function runBatch(projectRoot = '.', options: BatchOptions = {}): Promise<BatchResult> {
  return openFor(options).runBatch(projectRoot, options);
}

/** Compares the baseline of a specification with the current sources. Uses no model and no network. */
export function detectDrift(
  specPath: string,
  sourcePath: string,
  options: DriftOptions = {},
): Promise<DriftReport> {
  return openFor(options).detectDrift(specPath, sourcePath, options);
}

function openFor({ cwd = process.cwd(), env = process.env }: CallOptions) {
  return openReverseSpec({ env, cwd, platform: process.platform, homeDir: env.HOME ?? homedir() });
}

import { relative } from 'node:path';
import { dryRunGenerate } from '../../spec/dry-run.ts';
import { generate } from '../../spec/generate.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { progressBar } from '../progress-bar.ts';
import { terminalSpecParts } from '../reverse-spec-parts.ts';
import { saying, specMessages } from '../spec-messages.ts';

export const specGenerate = defineCommand({
  usage: 'TARGET [--deep] [--ast-only] [--dry-run] [--output-dir DIR] [--json]',
  sections: ['reverseSpec'],
  options: {
    deep: { type: 'boolean', doc: 'show function bodies to the model' },
    'ast-only': { type: 'boolean', doc: 'no model and no network: only what the sources say' },
    'dry-run': {
      type: 'boolean',
      doc: 'how many model calls and tokens, and what they cost; nothing is spent',
    },
    json: { type: 'boolean', doc: 'the result as JSON' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'reverse-spec generate src/auth', does: 'writes specs/src+auth.spec.md' },
    { line: 'reverse-spec generate src/auth --ast-only', does: 'the same without a key' },
  ],
  run: async ({ config, options, positionals: [targetPath = '.'], terminal, origin, interrupted }) => {
    const bar = progressBar(terminal);
    const parts = terminalSpecParts(config.reverseSpec, origin, terminal);
    const request = {
      targetPath,
      deep: options.deep,
      astOnly: options['ast-only'],
      outputDir: parts.outputDir,
    };
    const own = { ...parts, signal: interrupted(), progress: bar.update };
    const { dryRun, language } = specMessages(config.reverseSpec, origin);
    if (options['dry-run']) {
      const plan = await dryRunGenerate(request, own).catch(saying(language)).finally(bar.end);
      terminal.line(options.json ? JSON.stringify(plan) : dryRun(plan));
      return SUCCESS;
    }
    const result = await generate(request, own).catch(saying(language)).finally(bar.end);
    terminal.line(options.json ? JSON.stringify(result) : relative(origin.cwd, result.specPath));
    if (!options.json) for (const warning of result.warnings) terminal.note(warning);
    return SUCCESS;
  },
});

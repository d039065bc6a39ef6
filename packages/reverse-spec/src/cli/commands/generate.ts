import { relative } from 'node:path';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { printableLines, writeAll } from '@secateur/serving/commands/terminal.ts';
import { dryRunGenerate, generate, promptsOf } from '../../spec/generate.ts';
import { openSpecCall, WRITING_OPTIONS } from '../spec-call.ts';

export const specGenerate = defineCommand({
  usage: 'TARGET [--deep] [--ast-only] [--criteria] [--dry-run] [--show-prompt] [--output-dir DIR] [--json]',
  sections: ['reverseSpec'],
  options: {
    ...WRITING_OPTIONS,
    'show-prompt': {
      type: 'boolean',
      doc: 'print the prompts; the model is not called and nothing is written',
    },
    json: { type: 'boolean', doc: 'the result as JSON' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'reverse-spec generate src/auth', does: 'writes specs/src+auth.spec.md' },
    { line: 'reverse-spec generate src/auth --ast-only', does: 'writes the document without an API key' },
    { line: 'reverse-spec generate src/auth --deep --show-prompt', does: 'prints the prompts' },
  ],
  run: async (call) => {
    const { options, terminal, origin } = call;
    const [targetPath = '.'] = call.positionals;
    const { parts, messages, finish } = openSpecCall(call);
    const { deep, criteria, 'ast-only': astOnly } = options;
    const request = { targetPath, deep, astOnly, criteria, outputDir: parts.outputDir };
    if (options['show-prompt']) {
      const prompts = await finish(promptsOf(request, parts));
      const texts = prompts.map((prompt) => `${printableLines(prompt)}\n`);
      await writeAll(terminal.output, texts);
      return;
    }
    if (options['dry-run']) {
      const plan = await finish(dryRunGenerate(request, parts));
      terminal.line(options.json ? JSON.stringify(plan) : messages.dryRun(plan));
      return;
    }
    const result = await finish(generate(request, parts));
    terminal.line(options.json ? JSON.stringify(result) : relative(origin.cwd, result.specPath));
    if (!options.json) for (const warning of result.warnings) terminal.note(warning);
  },
});

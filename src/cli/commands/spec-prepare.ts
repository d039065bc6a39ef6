import { type PrepareResult, prepare } from '../../spec/prepare.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { progressBar } from '../progress-bar.ts';
import { reverseSpecParts } from '../reverse-spec-parts.ts';

export const specPrepare = defineCommand({
  usage: 'TARGET [--deep] [--json]',
  sections: ['reverseSpec'],
  options: {
    deep: { type: 'boolean', doc: 'function bodies too' },
    json: { type: 'boolean', doc: 'skeletons, context and file list as JSON' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'reverse-spec prepare src/auth', does: 'what a model would be given' },
    { line: 'reverse-spec prepare src --json | jq .skeletons[].exports[].name', does: 'every exported name' },
  ],
  run: async ({ config, options, positionals: [targetPath = '.'], terminal, origin, interrupted }) => {
    const bar = progressBar(terminal);
    const parts = {
      ...reverseSpecParts(config.reverseSpec, origin, terminal),
      signal: interrupted(),
      progress: bar.update,
    };
    const result = await prepare({ targetPath, deep: options.deep }, parts).finally(bar.end);
    terminal.line(options.json ? JSON.stringify(result) : result.context.prompt);
    if (!options.json) terminal.note(describe(result));
    return SUCCESS;
  },
});

function describe({ skeletons, filePaths, notes, context }: PrepareResult): string {
  const exports = skeletons.reduce((sum, each) => sum + each.exports.length, 0);
  const cut = context.truncated ? `，已舍弃 ${context.truncatedParts.join(', ')}` : '';
  const unread = Object.keys(notes).length;
  return `${filePaths.length} 个文件（${unread} 个未解析），${exports} 个导出，约 ${context.tokenCount} tokens${cut}`;
}

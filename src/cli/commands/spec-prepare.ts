import { jsonOf, type PrepareResult, prepare } from '../../spec/prepare.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
import { printableJson, printableLines } from '../printable.ts';
import { progressBar } from '../progress-bar.ts';
import { readingParts } from '../reading-parts.ts';
import { writeAll } from '../write-all.ts';

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
      ...readingParts(config.reverseSpec, origin),
      signal: interrupted(),
      progress: bar.update,
    };
    const result = await prepare({ targetPath, deep: options.deep }, parts).finally(bar.end);
    await writeAll(
      terminal.output,
      options.json ? safeJson(result) : [printableLines(result.context.prompt)],
    );
    terminal.line('');
    if (!options.json) terminal.note(describe(result));
    return SUCCESS;
  },
});

function* safeJson(result: PrepareResult): Generator<string> {
  for (const piece of jsonOf(result)) yield printableJson(piece);
}

function describe({ filePaths, notes, mergedSkeleton, context }: PrepareResult): string {
  const { tokenCount, truncatedParts } = context;
  const unread = Object.keys(notes).length;
  const cut = truncatedParts.length > 0 ? `，已舍弃 ${truncatedParts.join(', ')}` : '';
  return `${filePaths.length} 个文件（${unread} 个未解析），${mergedSkeleton.exports.length} 个导出，约 ${tokenCount} tokens${cut}`;
}

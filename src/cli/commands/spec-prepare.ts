import { openPrepared, type PreparedSummary } from '../../spec/prepare.ts';
import { defineCommand } from '../command.ts';
import { SUCCESS } from '../exit-codes.ts';
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
    const prepared = await openPrepared({ targetPath, deep: options.deep }, parts).finally(bar.end);
    try {
      await writeAll(terminal.output, options.json ? prepared.json() : prepared.prompt());
      terminal.line('');
    } finally {
      prepared.close();
    }
    if (!options.json) terminal.note(describe(prepared.summary));
    return SUCCESS;
  },
});

function describe({ files, unread, exports, tokenCount, truncatedParts }: PreparedSummary): string {
  const cut = truncatedParts.length > 0 ? `，已舍弃 ${truncatedParts.join(', ')}` : '';
  return `${files} 个文件（${unread} 个未解析），${exports} 个导出，约 ${tokenCount} tokens${cut}`;
}

import { defineCommand } from '@secateur/serving/commands/command.ts';
import { printableJson, printableLines, writeAll } from '@secateur/serving/commands/terminal.ts';
import { jsonOf, type PrepareResult, prepare } from '../../spec/prepare.ts';
import { openSpecCall } from '../spec-call.ts';

export const specPrepare = defineCommand({
  usage: 'TARGET [--deep] [--json]',
  sections: ['reverseSpec'],
  options: {
    deep: { type: 'boolean', doc: 'include function bodies' },
    json: { type: 'boolean', doc: 'skeletons, context and file list as JSON' },
  },
  positionals: { min: 1, max: 1 },
  examples: [
    { line: 'reverse-spec prepare src/auth', does: 'prints the context for a model' },
    {
      line: 'reverse-spec prepare src --json | jq .skeletons[].exports[].name',
      does: 'prints all exported names',
    },
  ],
  run: async (call) => {
    const { options, terminal } = call;
    const [targetPath = '.'] = call.positionals;
    const { parts, messages, finish } = openSpecCall(call);
    const result = await finish(prepare({ targetPath, deep: options.deep }, parts));
    const texts = options.json ? safeJson(result) : [printableLines(result.context.prompt)];
    await writeAll(terminal.output, texts);
    terminal.line('');
    if (!options.json) terminal.note(messages.texts.prepared(countsOf(result)));
  },
});

function* safeJson(result: PrepareResult): Generator<string> {
  for (const piece of jsonOf(result)) yield printableJson(piece);
}

function countsOf({ filePaths, notes, mergedSkeleton, context }: PrepareResult) {
  return {
    files: filePaths.length,
    unread: Object.keys(notes).length,
    exports: mergedSkeleton.exports.length,
    tokens: context.tokenCount,
    cut: context.truncatedParts.join(', '),
  };
}

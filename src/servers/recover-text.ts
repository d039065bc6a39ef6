import type { RecoveredLines, Recovery } from '../recovery/recovery.ts';
import { Type } from '../wire/schema.ts';
import { defineTool, type Tool, textResult } from '../wire/tool.ts';

/** `DomainError` codes of recovery as JSON-RPC numbers, the same on every server that offers `recover_text`. */
export const recoveryErrorCodes = {
  prune_id_not_found: -32004,
  invalid_range: -32005,
  recovery_unavailable: -32006,
} as const;

export interface RecoverTextParts {
  recovery: Recovery;
  /** Told how much came back, so that savings can be counted net. */
  onRecovered?: (recovered: { pruneId: string; text: string }) => void;
}

/** The tool that gives removed lines back; whatever it returns is never pruned or masked. */
export function recoverTextTool({ recovery, onRecovered }: RecoverTextParts): Tool {
  return defineTool({
    name: 'recover_text',
    title: 'Recover removed lines',
    description:
      'Returns the original lines that were removed from an earlier result. Take prune_id and the line numbers from its marker ' +
      '⟦PRUNÉ: prune_id=… lignes START-END …⟧ or from the masking note.',
    aliases: ['recover_range'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema,
    acceptSchema,
    handle: async ({ prune_id, ranges, include_line_numbers }) => {
      const asked = ranges.map(({ start_line, end_line }) => ({ start: start_line, end: end_line }));
      const recovered = await recovery.recover(prune_id, asked);
      const text = include_line_numbers ? numbered(recovered) : recovered.texts.join('\n');
      onRecovered?.({ pruneId: prune_id, text });
      return textResult(JSON.stringify({ raw_text: text, metadata: metadataOf(prune_id, recovered) }));
    },
  });
}

function rangesOf(line: ReturnType<typeof Type.Integer>) {
  return Type.Object(
    {
      prune_id: Type.String(),
      ranges: Type.Array(Type.Object({ start_line: line, end_line: line }, { additionalProperties: false })),
      include_line_numbers: Type.Boolean(),
    },
    { additionalProperties: false },
  );
}

const inputSchema = rangesOf(Type.Integer({ minimum: 1 }));

/** A line below 1 is answered with `invalid_range` and the last line's number, which only the stored text can tell. */
const acceptSchema = rangesOf(Type.Integer());

function numbered({ ranges, texts }: RecoveredLines): string {
  const numberedRange = (text: string, index: number) => {
    const first = ranges[index]?.start ?? 1;
    return text
      .split('\n')
      .map((line, offset) => `${first + offset}│ ${line}`)
      .join('\n');
  };
  return texts.map(numberedRange).join('\n');
}

function metadataOf(pruneId: string, { ranges }: RecoveredLines) {
  return {
    prune_id: pruneId,
    ranges: ranges.map(({ start, end }) => ({ start_line: start, end_line: end })),
    line_numbering: 'original',
  };
}

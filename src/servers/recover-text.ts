import type { RecoveredLines, Recovery } from '../recovery/recovery.ts';
import { Type } from '../wire/schema.ts';
import { defineTool, type Tool, textResult } from '../wire/tool.ts';
import { type Piece, pieceOf } from './recover-text/characters.ts';

/** `DomainError` codes of recovery as JSON-RPC numbers, the same on every server that offers `recover_text`. */
export const recoveryErrorCodes = {
  prune_id_not_found: -32004,
  invalid_range: -32005,
  recovery_unavailable: -32006,
} as const;

export interface RecoverTextParts {
  recovery: Recovery;
  /** Told how much came back, so that savings can be counted net. */
  onRecovered?: (recovered: Recovered) => void;
  /** Offers `start_char` and `end_char`: where texts are cut inside lines, a line may be too long to come back whole. */
  byCharacters?: boolean;
}

/** What came back, and to whom. */
export interface Recovered {
  readonly pruneId: string;
  readonly text: string;
  readonly client?: string | undefined;
}

/** The tool that gives removed lines back; whatever it returns is never pruned or masked. */
export function recoverTextTool({ recovery, onRecovered, byCharacters }: RecoverTextParts): Tool {
  return defineTool({
    name: 'recover_text',
    title: 'Recover removed lines',
    description:
      'Returns the original lines that were removed from an earlier result. Take prune_id and the line numbers from its marker ' +
      '⟦PRUNÉ: prune_id=… lignes START-END …⟧ or from the masking note.' +
      (byCharacters ? ' Lines too long to read are got back in parts, by start_char and end_char.' : ''),
    aliases: ['recover_range'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: byCharacters ? schemas.characters.input : schemas.lines.input,
    acceptSchema: byCharacters ? schemas.characters.accept : schemas.lines.accept,
    handle: async ({ prune_id, ranges, include_line_numbers }, { client }) => {
      const asked = ranges.map(({ start_line, end_line }) => ({ start: start_line, end: end_line }));
      const recovered = await recovery.recover(prune_id, asked);
      const pieces = recovered.texts.map((each, index) => pieceOf(each, ranges[index] ?? {}));
      const text = include_line_numbers
        ? numbered(recovered, pieces)
        : pieces.map((each) => each.text).join('\n');
      onRecovered?.({ pruneId: prune_id, text, client });
      return textResult(
        JSON.stringify({ raw_text: text, metadata: metadataOf(prune_id, recovered, pieces) }),
      );
    },
  });
}

function rangesOf(line: ReturnType<typeof Type.Integer>, characters: typeof byCharacter) {
  const range = Type.Object(
    { start_line: line, end_line: line, ...characters },
    { additionalProperties: false },
  );
  return Type.Object(
    {
      prune_id: Type.String(),
      ranges: Type.Array(range),
      include_line_numbers: Type.Boolean(),
    },
    { additionalProperties: false },
  );
}

const byCharacter = { start_char: Type.Optional(Type.Integer()), end_char: Type.Optional(Type.Integer()) };
const byLineAlone = {} as typeof byCharacter;
const lineNumber = Type.Integer({ minimum: 1 });

/** A line below 1 is accepted, to be answered with `invalid_range` and the last line's number, which only the stored text can tell. */
const schemas = {
  lines: { input: rangesOf(lineNumber, byLineAlone), accept: rangesOf(Type.Integer(), byLineAlone) },
  characters: { input: rangesOf(lineNumber, byCharacter), accept: rangesOf(Type.Integer(), byCharacter) },
};

function numbered({ ranges }: RecoveredLines, pieces: readonly Piece[]): string {
  const numberedRange = ({ text, linesBefore }: Piece, index: number) => {
    const first = (ranges[index]?.start ?? 1) + linesBefore;
    return text
      .split('\n')
      .map((line, offset) => `${first + offset}│ ${line}`)
      .join('\n');
  };
  return pieces.map(numberedRange).join('\n');
}

function metadataOf(pruneId: string, { ranges }: RecoveredLines, pieces: readonly Piece[]) {
  return {
    prune_id: pruneId,
    ranges: ranges.map(({ start, end }, index) => ({
      ...{ start_line: start, end_line: end },
      ...pieces[index]?.chars,
    })),
    line_numbering: 'original',
  };
}

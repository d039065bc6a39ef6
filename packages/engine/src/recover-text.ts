import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, RpcError, type Tool, textResult } from '@secateur/base/tools/tool.ts';
import { numberedRanges, type Piece, pieceOf } from './recovery/ranges.ts';
import type { RecoveredLines, Recovery } from './recovery/recovery.ts';

/** JSON-RPC numbers for the `DomainError` codes of recovery. All servers with `recover_text` use them. */
export const recoveryErrorCodes = {
  prune_id_not_found: -32004,
  invalid_range: -32005,
  recovery_unavailable: -32006,
} as const;

export interface RecoverTextParts {
  recovery: Pick<Recovery, 'recover' | 'maxRecoveredBytes'>;
  /** Called with each recovered text, for the savings ledger. */
  onRecovered?: (recovered: Recovered) => void;
  /** Whether to offer `start_char` and `end_char`, for lines that are too long to be returned whole. */
  byCharacters?: boolean;
  /**
   * Whether to respond in a form for agents: with line numbers by default, a header line before each of
   * several ranges, and parts of long lines. Error messages name the next step.
   */
  forAgents?: boolean;
  /** Whether to return the lines as plain text instead of JSON, for clients that show text to the model. */
  asText?: boolean;
}

/** Recovered text, and the client that received it. */
export interface Recovered {
  readonly pruneId: string;
  readonly text: string;
  readonly client?: string | undefined;
}

const COMPACT = '✂ 36-47 below ✂ prn_…';
const CANONICAL = '⟦PRUNÉ: prune_id=… lignes START-END …⟧';

/** Creates the tool that recovers removed lines. Results of this tool are never pruned or masked. */
export function recoverTextTool({
  recovery,
  onRecovered,
  byCharacters,
  forAgents,
  asText,
}: RecoverTextParts): Tool {
  const isInParts = byCharacters || forAgents;
  const schemaWith = (line: ReturnType<typeof Type.Integer>) =>
    rangesOf(line, isInParts ? byCharacter : byLineAlone, forAgents ? numbersIfTold : Type.Boolean());
  const tool = defineTool({
    name: 'recover_text',
    title: 'Recover removed lines',
    description:
      `Returns the original lines that were removed from an earlier result. Take prune_id and the line numbers from its marker (${asText ? COMPACT : `${COMPACT}, or ${CANONICAL}`}) ` +
      'or from the masking note. Too much for one answer is refused: ask for fewer lines.' +
      (isInParts ? ' Lines too long to read are got back in parts, by start_char and end_char.' : ''),
    aliases: ['recover_range'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    inputSchema: schemaWith(Type.Integer({ minimum: 1 })),
    // Lines below 1 are accepted here. They cause `invalid_range`, which names the last line and therefore
    // requires the text.
    acceptSchema: schemaWith(Type.Integer()),
    answerBytes: () => recovery.maxRecoveredBytes,
    handle: async ({ prune_id, ranges, include_line_numbers = true }, { client }) => {
      const { maxRecoveredBytes: maxBytes } = recovery;
      if (ranges.length > MAX_RANGES) throw tooMuch(maxBytes, `ranges has ${ranges.length} entries`);
      const asked = ranges.map(({ start_line, end_line }) => ({ start: start_line, end: end_line }));
      const recovered = await recovery.recover(prune_id, asked);
      const budget = byteBudget(maxBytes);
      const pieces = recovered.texts.map((each, index) => budget(pieceOf(each, ranges[index] ?? {})));
      const found = { recovered, pieces, isSeparated: forAgents === true };
      const text = include_line_numbers
        ? numberedRanges(found, byteBudget(maxBytes))
        : pieces.map((each) => each.text).join('\n');
      onRecovered?.({ pruneId: prune_id, text, client });
      if (asText) return textResult(text);
      return textResult(
        JSON.stringify({ raw_text: text, metadata: metadataOf(prune_id, recovered, pieces) }),
      );
    },
  });
  if (!forAgents) return tool;
  return {
    ...tool,
    call: (args, context) => tool.call(args, context).catch((error) => Promise.reject(withAdvice(error))),
  };
}

/** Appends the hint of an error to its message. Agents often see only the message. */
function withAdvice(error: unknown): unknown {
  if (!(error instanceof DomainError) || error.hint === undefined) return error;
  const number = recoveryErrorCodes[error.code as keyof typeof recoveryErrorCodes];
  if (number === undefined) return error;
  const { code, hint, data } = error;
  return new RpcError(number, `${code}: ${hint}`, { code, ...data, hint });
}

const MAX_RANGES = 1000;

/** Returns a function that throws if its pieces together exceed the maximum response. A request may repeat lines. */
function byteBudget(maxBytes: number): <Text extends { text: string }>(piece: Text) => Text {
  let left = maxBytes;
  return (piece) => {
    left -= 1 + (piece.text.length > left ? piece.text.length : Buffer.byteLength(piece.text));
    if (left < -1) throw tooMuch(maxBytes, 'the lines asked for are more');
    return piece;
  };
}

function tooMuch(maxBytes: number, what: string): DomainError {
  return new DomainError('invalid_range', 'invalid_range', {
    hint: `One call gives back at most ${maxBytes} bytes in at most ${MAX_RANGES} ranges, and ${what}. Ask for the first lines, then go on after the last one you got.`,
    data: { max_bytes: maxBytes, max_ranges: MAX_RANGES },
  });
}

function rangesOf(
  line: ReturnType<typeof Type.Integer>,
  characters: typeof byCharacter,
  numbers: ReturnType<typeof Type.Boolean>,
) {
  const closed = { additionalProperties: false };
  const range = Type.Object({ start_line: line, end_line: line, ...characters }, closed);
  const fields = { prune_id: Type.String(), ranges: Type.Array(range), include_line_numbers: numbers };
  return Type.Object(fields, closed);
}

const byCharacter = { start_char: Type.Optional(Type.Integer()), end_char: Type.Optional(Type.Integer()) };
const numbersIfTold = Type.Optional(Type.Boolean({ default: true })) as unknown as ReturnType<
  typeof Type.Boolean
>;
const byLineAlone = {} as typeof byCharacter;

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

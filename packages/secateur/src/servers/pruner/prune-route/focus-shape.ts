import { utf8Prefix } from '@secateur/base/text/byte-cuts.ts';
import { Type } from '@secateur/base/tools/schema.ts';
import { type PruneRequest, USUAL_OPTIONS } from '@secateur/engine/request.ts';
import { kindOfText } from '@secateur/engine/text-kind.ts';
import type { Static } from 'typebox';
import type { PruneRouteCall } from '../prune-route.ts';

/** What the focus tools send; further keys are none of our business. */
export const focusRequestSchema = Type.Object({
  request_id: Type.String(),
  tool: Type.String(),
  focus_question: Type.String(),
  input: Type.String(),
  input_bytes: Type.Integer({ minimum: 0 }),
  max_output_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
});

export type FocusRequest = Static<typeof focusRequestSchema>;

/** How far a text is pruned; the second only where the first leaves more than the caller can take. */
const RATIOS = [0.7, 0.9] as const;

export async function answerFocusRequest(
  request: FocusRequest,
  { pruner, onPruned, client, signal }: PruneRouteCall,
): Promise<{ output: string; output_bytes: number }> {
  const limit = request.max_output_bytes ?? Number.POSITIVE_INFINITY;
  const first = pruneRequestOf(request, RATIOS[0]);
  let outcome = await pruner.prune(first, signal);
  if (Buffer.byteLength(outcome.prunedText) > limit)
    outcome = await pruner.prune(pruneRequestOf(request, RATIOS[1]), signal);
  onPruned(outcome, { client, sourceType: first.sourceType });
  const output = Number.isFinite(limit) ? utf8Prefix(outcome.prunedText, limit) : outcome.prunedText;
  return { output, output_bytes: Buffer.byteLength(output) };
}

function pruneRequestOf({ tool, focus_question, input }: FocusRequest, maxPruneRatio: number): PruneRequest {
  return {
    text: input,
    focus: { question: focus_question },
    ...kindOfText(tool === 'bash' ? { kind: 'command', command: '' } : { kind: 'other' }, input),
    options: { ...USUAL_OPTIONS, maxPruneRatio, timeoutMs: 10_000 },
  };
}

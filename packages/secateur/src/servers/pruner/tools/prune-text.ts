import { Type } from '@secateur/base/tools/schema.ts';
import { defineTool, type Tool, textResult } from '@secateur/base/tools/tool.ts';
import type { Pruner } from '@secateur/engine/pruner.ts';
import { SOURCE_TYPES, type SourceType } from '@secateur/engine/ranking/scorer.ts';
import type { PruneOutcome, PruneRequest } from '@secateur/engine/request.ts';
import type { Static } from 'typebox';
import { outcomeShape } from '../../prune-outcome.ts';

const inputSchema = Type.Object(
  {
    text: Type.String(),
    goal_hint: Type.String(),
    source_type: Type.Enum([...SOURCE_TYPES], { type: 'string' }),
    options: Type.Object(
      {
        max_prune_ratio: Type.Number({ minimum: 0, maximum: 1 }),
        min_keep_lines: Type.Integer({ minimum: 0 }),
        timeout_ms: Type.Integer({ minimum: 1 }),
        annotate_lines: Type.Boolean(),
        include_markers: Type.Boolean(),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
);

/** Maximum of `timeout_ms`. Larger values are reduced to it. */
const MAX_TIMEOUT_MS = 600_000;

export interface PruneDeps {
  pruner: Pruner;
  /** Called with every outcome, for the savings ledger. */
  onPruned(outcome: PruneOutcome, caller: PruneCaller): void;
}

interface PruneTextDeps extends PruneDeps {
  /** Price in US dollars per million input tokens, for `cost_estimated_usd`. Default: 3. */
  usdPerMillionTokens: number | undefined;
}

export interface PruneCaller {
  readonly client: string | undefined;
  readonly sourceType: SourceType;
}

export function pruneTextTool({ pruner, onPruned, usdPerMillionTokens }: PruneTextDeps): Tool {
  return defineTool({
    name: 'prune_text',
    title: 'Prune text to a goal',
    description:
      'Removes the lines of code, logs or docs that goal_hint does not need, within max_prune_ratio and min_keep_lines. ' +
      'Kept lines are untouched. Each removed block leaves a marker ⟦PRUNÉ: prune_id=… lignes START-END …⟧; recover_text gives its lines back.',
    annotations: { readOnlyHint: true, idempotentHint: true },
    inputSchema,
    handle: async (args, { client, signal }) => {
      const outcome = await pruner.prune(requestOf(args), signal);
      onPruned(outcome, { client, sourceType: args.source_type });
      return textResult(JSON.stringify(outcomeShape(outcome, usdPerMillionTokens)));
    },
  });
}

function requestOf({ text, goal_hint, source_type, options }: Static<typeof inputSchema>): PruneRequest {
  return {
    text,
    focus: { question: goal_hint },
    sourceType: source_type,
    options: {
      maxPruneRatio: options.max_prune_ratio,
      minKeepLines: options.min_keep_lines,
      timeoutMs: Math.min(options.timeout_ms, MAX_TIMEOUT_MS),
      annotateLines: options.annotate_lines,
      includeMarkers: options.include_markers,
      markers: 'canonical',
    },
  };
}

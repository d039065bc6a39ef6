import type { FieldError } from '@secateur/base/tools/rpc-error.ts';
import { compileArgumentCheck } from '@secateur/base/tools/schema-check.ts';
import { userAgentName } from '@secateur/serving/wire/client-name.ts';
import type { HttpAnswer, HttpRoute } from '@secateur/serving/wire/http-route.ts';
import { answerFocusRequest, type FocusRequest, focusRequestSchema } from './prune-route/focus-shape.ts';
import {
  answerSwePrunerRequest,
  type SwePrunerRequest,
  swePrunerRequestSchema,
} from './prune-route/swe-pruner-shape.ts';
import type { PruneParts } from './tools/prune-text.ts';

/** What the two shapes need: the parts, and who asks. */
export interface PruneRouteCall extends PruneParts {
  readonly client: string | undefined;
  readonly signal: AbortSignal;
}

/** `POST /prune`: the same engine for clients that speak no MCP, in the two shapes they use. */
export function pruneRoute(parts: PruneParts): HttpRoute {
  const checkFocus = compileArgumentCheck(focusRequestSchema);
  const checkSwePruner = compileArgumentCheck(swePrunerRequestSchema);
  return {
    method: 'POST',
    path: '/prune',
    tool: 'prune_text',
    handle: async ({ body, headers, signal }) => {
      const isSwePruner = typeof body === 'object' && body !== null && 'code' in body;
      const errors = isSwePruner ? checkSwePruner(body) : checkFocus(body);
      if (errors.length > 0) return refusal(errors);
      const call = { ...parts, client: userAgentName(headers), signal };
      if (isSwePruner) return { json: await answerSwePrunerRequest(body as SwePrunerRequest, call) };
      return { json: await answerFocusRequest(body as FocusRequest, call) };
    },
  };
}

function refusal(errors: FieldError[]): HttpAnswer {
  const error = 'expected {request_id, tool, focus_question, input, input_bytes} or {query, code}';
  return { status: 400, json: { error, field_errors: errors } };
}

import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import type { ToolCallContext, ToolResult } from '@secateur/base/tools/tool.ts';
import { answer, failedOutput, type ToolOutput } from './answer.ts';
import { type CallEvents, callEvents } from './events.ts';
import type { OutputOrigin } from './output-origin.ts';
import type { FocusServerParts } from './server.ts';

/** One call of `read`, `bash` or `grep`. */
export interface ToolRun<Value> {
  readonly origin: OutputOrigin;
  readonly args: { max_output_bytes?: number; context_focus_question?: string };
  work(): Promise<Value>;
  /** The tool's own code for failure of this kind. */
  codeOf(error: DomainError): string;
  /** Returns the result as the tool prints it, and logs whether it is a success. */
  output(value: Value, done: Done): ToolOutput;
}

export interface Done {
  readonly events: CallEvents;
  readonly durationMs: number;
}

/** Does the work and answers it. Failure that was expected is answered too; bugs pass, and so does a client's cancellation. */
export async function runTool<Value>(
  run: ToolRun<Value>,
  context: ToolCallContext,
  parts: FocusServerParts,
): Promise<ToolResult> {
  const { origin, args } = run;
  const events = callEvents(parts.log, { tool: origin.tool, requestId: context.requestId });
  const output = await outputOf(run, { context, events, clock: parts.clock });
  const asked = { question: args.context_focus_question, maxOutputBytes: args.max_output_bytes };
  return answer({ origin, ...asked, ...output }, { context, events }, parts);
}

interface Call extends Pick<FocusServerParts, 'clock'> {
  readonly context: ToolCallContext;
  readonly events: CallEvents;
}

async function outputOf<Value>(
  { work, codeOf, output }: ToolRun<Value>,
  { context, events, clock }: Call,
): Promise<ToolOutput> {
  const startedAt = clock.monotonic();
  const elapsed = () => Math.round(clock.monotonic() - startedAt);
  events.started();
  let value: Value;
  try {
    value = await work();
    context.signal.throwIfAborted();
  } catch (error) {
    const duration_ms = elapsed();
    if (context.signal.aborted) events.failed({ code: 'cancelled', message: 'the client left', duration_ms });
    if (!(error instanceof DomainError)) throw error;
    const failure = { code: codeOf(error), message: error.message };
    events.failed({ ...failure, duration_ms });
    return failedOutput(failure);
  }
  return output(value, { events, durationMs: elapsed() });
}

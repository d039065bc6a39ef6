import type { Clock } from '../../runtime/clock.ts';
import { DomainError } from '../../runtime/domain-error.ts';
import type { ToolCallContext } from '../../wire/tool.ts';
import type { CallEvents } from './events.ts';

export type Attempt<Value> = { kind: 'done'; value: Value; durationMs: number } | Failure;

export interface Failure {
  kind: 'failed';
  error: { code: string; message: string };
  durationMs: number;
}

export interface AttemptParts {
  context: ToolCallContext;
  events: CallEvents;
  clock: Clock;
  /** The tool's own code for failure of this kind. */
  codeOf(error: DomainError): string;
}

/** Runs what a tool does. Failure that was expected becomes a value; bugs pass, and so does a client's cancellation. */
export async function attempt<Value>(
  { context, events, clock, codeOf }: AttemptParts,
  work: () => Promise<Value>,
): Promise<Attempt<Value>> {
  const startedAt = clock.monotonic();
  const elapsed = () => Math.round(clock.monotonic() - startedAt);
  events.started();
  try {
    const value = await work();
    context.signal.throwIfAborted();
    return { kind: 'done', value, durationMs: elapsed() };
  } catch (error) {
    const duration_ms = elapsed();
    if (context.signal.aborted) events.failed({ code: 'cancelled', message: 'the client left', duration_ms });
    if (!(error instanceof DomainError)) throw error;
    const failure = { code: codeOf(error), message: error.message };
    events.failed({ ...failure, duration_ms });
    return { kind: 'failed', error: failure, durationMs: duration_ms };
  }
}

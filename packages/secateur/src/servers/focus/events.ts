import type { EventLog, LogEvent } from '@secateur/base/runtime/event-log.ts';
import type { CallObserver } from '@secateur/serving/wire/protocol.ts';
import type { FocusErrorCode } from './backend.ts';

interface NamedCall {
  tool: string;
  requestId: string;
}

/** A call's own log: every event carries its request id. Sizes, codes and names only. */
export function callEvents(log: EventLog, { tool, requestId: request_id }: NamedCall) {
  const emit = (level: LogEvent['level'], event: string, details: object = {}) =>
    log.emit({ level, event: `tool.${event}`, request_id, data: { tool, ...details } });
  return {
    started: () => emit('info', 'exec_start'),
    succeeded: (details: { duration_ms: number; bytes: number }) => emit('info', 'exec_ok', details),
    failed: (details: { code: string; message: string; exit_code?: number; duration_ms: number }) =>
      emit('warn', 'exec_failed', details),
    timedOut: (timeout_ms: number) => emit('warn', 'exec_timeout', { timeout_ms }),
    responded: (mode: 'raw' | 'pruned') => emit('info', 'respond_ok', { mode }),
    respondFailed: () => emit('error', 'respond_failed'),
  };
}

export type CallEvents = ReturnType<typeof callEvents>;

/** Logs what happens to requests before and beside their tools. */
export function requestEvents(log: EventLog): CallObserver {
  return {
    received: ({ tool, requestId }) =>
      log.emit({ level: 'info', event: 'tool.request_received', request_id: requestId, data: named(tool) }),
    unparsable: () => log.emit({ level: 'warn', event: 'tool.request_parse_failed' }),
    invalid: ({ tool, requestId, fieldErrors }) =>
      log.emit({
        level: 'warn',
        event: 'tool.request_invalid',
        request_id: requestId,
        data: { ...named(tool), field_errors: fieldErrors },
      }),
    crashed: ({ tool, requestId, error }) =>
      log.emit({
        level: 'error',
        event: 'tool.internal_error',
        request_id: requestId,
        data: { ...named(tool), stack: error instanceof Error ? error.stack : String(error) },
      }),
  };
}

function named(tool: string | undefined): { tool?: string } {
  return tool === undefined ? {} : { tool };
}

/** Logs what happens between this server and its pruner. */
export function prunerEvents(log: EventLog, { tool, requestId: request_id }: NamedCall) {
  const emit = (level: LogEvent['level'], event: string, data: Record<string, unknown>) =>
    log.emit({ level, event: `pruner.${event}`, request_id, data });
  return {
    called: (endpoint: string, input_bytes: number) =>
      emit('info', 'call_start', { endpoint, tool, input_bytes }),
    answered: (pruner_duration_ms: number, pruned_bytes: number) =>
      emit('info', 'call_ok', { tool, pruner_duration_ms, pruned_bytes }),
    failed: (pruner_duration_ms: number, { code, message }: { code: FocusErrorCode; message: string }) => {
      const data = { tool, reason: code, pruner_duration_ms, message };
      emit('warn', code, data);
      emit('warn', 'call_failed', data);
    },
  };
}

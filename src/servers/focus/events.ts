import type { EventLog } from '../../runtime/event-log.ts';
import type { CallObserver } from '../../wire/rpc-server.ts';
import type { FocusObserver } from './focus-pruner.ts';

/** A call's own log: every event carries its request id. Sizes, codes and names only. */
export interface CallEvents {
  started(): void;
  succeeded(details: { duration_ms: number; bytes: number }): void;
  failed(details: { code: string; message: string; exit_code?: number; duration_ms: number }): void;
  timedOut(timeoutMs: number): void;
  responded(mode: 'raw' | 'pruned'): void;
  respondFailed(): void;
}

export function callEvents(log: EventLog, call: { tool: string; requestId: string }): CallEvents {
  const { tool, requestId: request_id } = call;
  return {
    started: () => log.emit({ level: 'info', event: 'tool.exec_start', request_id, data: { tool } }),
    succeeded: (details) =>
      log.emit({ level: 'info', event: 'tool.exec_ok', request_id, data: { tool, ...details } }),
    failed: (details) =>
      log.emit({ level: 'warn', event: 'tool.exec_failed', request_id, data: { tool, ...details } }),
    timedOut: (timeout_ms) =>
      log.emit({ level: 'warn', event: 'tool.exec_timeout', request_id, data: { tool, timeout_ms } }),
    responded: (mode) =>
      log.emit({ level: 'info', event: 'tool.respond_ok', request_id, data: { tool, mode } }),
    respondFailed: () =>
      log.emit({ level: 'error', event: 'tool.respond_failed', request_id, data: { tool } }),
  };
}

/** What happens to requests before and beside their tools. */
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

/** What happens between this server and its pruner. */
export function prunerEvents(log: EventLog): FocusObserver {
  return {
    called: ({ requestId, tool, endpoint, inputBytes }) =>
      log.emit({
        level: 'info',
        event: 'pruner.call_start',
        request_id: requestId,
        data: { endpoint, tool, input_bytes: inputBytes },
      }),
    answered: ({ requestId, tool, durationMs, prunedBytes }) =>
      log.emit({
        level: 'info',
        event: 'pruner.call_ok',
        request_id: requestId,
        data: { tool, pruner_duration_ms: durationMs, pruned_bytes: prunedBytes },
      }),
    failed: ({ requestId, tool, durationMs, code, message }) => {
      const data = { tool, reason: code, pruner_duration_ms: durationMs, message };
      log.emit({ level: 'warn', event: `pruner.${code}`, request_id: requestId, data });
      log.emit({ level: 'warn', event: 'pruner.call_failed', request_id: requestId, data });
    },
  };
}

import type { Clock } from './time.ts';

export interface LogEvent {
  level: 'debug' | 'info' | 'warn' | 'error';
  event: string;
  request_id?: string;
  data?: Record<string, unknown>;
}

/** Log with one event per line. It contains sizes, codes and names, but never file contents or secrets. */
export interface EventLog {
  emit(event: LogEvent): void;
}

export const silentLog: EventLog = { emit: () => {} };

export interface LineSink {
  write(text: string): unknown;
}

/** Writes events as JSON, one object per line: `{ts, level, event, request_id?, data?}`. */
export function jsonEventLog(sink: LineSink, clock: Clock): EventLog {
  return {
    emit: (event) => {
      sink.write(`${JSON.stringify({ ts: new Date(clock.now()).toISOString(), ...event })}\n`);
    },
  };
}

/** Writes events for a person at a terminal. */
export function textEventLog(sink: LineSink, clock: Clock): EventLog {
  return {
    emit: ({ level, event, request_id, data }) => {
      const parts = [new Date(clock.now()).toISOString(), level.toUpperCase().padEnd(5), event];
      if (request_id !== undefined) parts.push(`request_id=${request_id}`);
      for (const [key, value] of Object.entries(data ?? {})) parts.push(`${key}=${JSON.stringify(value)}`);
      sink.write(`${parts.join(' ')}\n`);
    },
  };
}

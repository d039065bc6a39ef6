import { redactSecrets } from '@secateur/base/redaction/redact.ts';
import { isSecretName } from '@secateur/base/redaction/secret-names.ts';
import { systemClock } from '@secateur/base/runtime/clock.ts';
import {
  type EventLog,
  jsonEventLog,
  type LineSink,
  textEventLog,
} from '@secateur/base/runtime/event-log.ts';

/** Redacts log lines by the same rules as prompts. */
export function redactedLog(sink: LineSink, format: 'text' | 'json' = 'text'): EventLog {
  const log = (format === 'text' ? textEventLog : jsonEventLog)(sink, systemClock);
  return {
    emit: ({ data, ...event }) => log.emit({ ...event, ...(data && { data: withoutSecrets(data) }) }),
  };
}

/** Value by value: a line of JSON that is redacted as a text may be JSON no longer, and programs read it. */
function withoutSecrets(data: Record<string, unknown>): Record<string, unknown> {
  const redacted = (name: string, value: unknown) => {
    if (typeof value !== 'string') return value;
    return isSecretName(name) ? '[REDACTED:secret]' : redactSecrets(value);
  };
  return JSON.parse(JSON.stringify(data, redacted)) as Record<string, unknown>;
}

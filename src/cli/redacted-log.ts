import { redactSecrets } from '../redaction/redact.ts';
import { systemClock } from '../runtime/clock.ts';
import { type EventLog, jsonEventLog, type LineSink, textEventLog } from '../runtime/event-log.ts';

/** What goes into a log passes the same rules as what goes into a prompt. */
export function redactedLog(sink: LineSink, format: 'text' | 'json' = 'text'): EventLog {
  const open = format === 'text' ? textEventLog : jsonEventLog;
  return open({ write: (text) => sink.write(redactSecrets(text)) }, systemClock);
}

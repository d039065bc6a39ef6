import { redactSecrets } from '../redaction/redact.ts';
import type { LineSink } from '../runtime/event-log.ts';

/** What goes into a log passes the same rules as what goes into a prompt. */
export function redactedLines(sink: LineSink): LineSink {
  return { write: (text) => sink.write(redactSecrets(text)) };
}

import { editJson } from '@secateur/base/text/json-edit.ts';
import { resultText } from '@secateur/serving/wire/protocol.ts';
import type { Question } from './child-message.ts';
import type { ServerProcess } from './processes.ts';
import { refuse, type Session, type Sessions } from './sessions.ts';

/**
 * News that names no call. On stdio nothing says which call caused it: with one call running it is that one's, otherwise
 * every client of this process that listens hears it.
 */
export function routeNews(process: ServerProcess, text: string, sessions: Sessions): void {
  const { pending } = process.connection;
  const [only] = pending;
  if (pending.length === 1 && only?.acceptsEvents) {
    only.notify(text);
    return;
  }
  for (const session of sessions.sharing(process.handshake)) {
    if (session.stream !== undefined) session.stream.push({ text, isAnswer: false });
    else pending.findLast((call) => call.session === session.id && call.acceptsEvents)?.notify(text);
  }
}

/** A question goes to the client whose call most likely caused it: the latest that can be asked. */
export function routeQuestion(process: ServerProcess, question: Question, sessions: Sessions): void {
  const { idText, method, text } = question;
  if (method === 'ping') {
    process.connection.send(resultText(idText, {}));
    return;
  }
  const asked = whoToAsk(process, sessions);
  if (asked === undefined) {
    refuse(process, idText);
    return;
  }
  const askedId = JSON.stringify(`secateur-${process.connection.pid}-${idText.replaceAll('"', '')}`);
  const isSent = asked.send(editJson(text, [{ kind: 'replace', path: ['id'], json: askedId }]));
  if (isSent) asked.session.questions.set(askedId, { process, idText });
  else refuse(process, idText);
}

function whoToAsk(
  process: ServerProcess,
  sessions: Sessions,
): { session: Session; send(text: string): boolean } | undefined {
  const call = process.connection.pending.findLast(
    (each) => each.acceptsEvents && sessions.get(each.session) !== undefined,
  );
  const caller = sessions.get(call?.session);
  if (call !== undefined && caller !== undefined)
    return { session: caller, send: (text) => call.notify(text) };
  const listener = sessions.sharing(process.handshake).find((session) => session.stream !== undefined);
  if (listener === undefined) return undefined;
  return { session: listener, send: (text) => listener.stream?.push({ text, isAnswer: false }) ?? false };
}

import { isJsonObject, type JsonObject } from '../../masking/json.ts';
import type { ClientCall } from './client-call.ts';
import type { RecoverTool } from './recover-tool.ts';
import { eventData, type ServerEvent, withEventData } from './server-events.ts';
import { type Answer, type ShortenParts, shortenAnswer } from './shorten.ts';
import { trouble } from './trouble.ts';

export interface EditParts extends ShortenParts {
  /** `undefined` where the server has it switched off. */
  readonly recoverTool: RecoverTool | undefined;
}

/** What the gateway changes in the messages an upstream sends back; bytes it has no reason to change stay as they are. */
export interface AnswerEdit {
  /** Throws `upstream_invalid_response` for what is no JSON-RPC answer. */
  body(bytes: Buffer): Promise<Buffer>;
  /** Events are passed on unread unless there may be something to change. */
  event(event: ServerEvent): Promise<ServerEvent>;
}

export function answerEdit(call: ClientCall, parts: EditParts): AnswerEdit {
  const edit = messageEdit(call, parts);
  // Masking cannot shorten anything in so few bytes, so that nobody needs to look inside.
  const isSmall = (size: number) =>
    !edit.always && (parts.limits.maxChars <= 0 || size <= parts.limits.maxChars);
  return {
    body: async (bytes) => {
      const answer = readAnswer(bytes.toString('utf8'));
      if (isSmall(bytes.length)) return bytes;
      const edited = await edit.apply(answer);
      return edited === answer.text ? bytes : Buffer.from(edited);
    },
    event: async (event) => {
      if (isSmall(event.raw.length)) return event;
      const answer = maybeAnswer(eventData(event));
      if (answer === undefined) return event;
      const edited = await edit.apply(answer);
      return edited === answer.text ? event : withEventData(event, edited);
    },
  };
}

/** Throws `upstream_invalid_response` for what is no JSON-RPC answer. */
function readAnswer(text: string): Answer {
  const answer = maybeAnswer(text);
  if (answer !== undefined) return answer;
  throw trouble(
    'upstream_invalid_response',
    'The upstream answered with something that is no JSON-RPC answer',
  );
}

export function maybeAnswer(text: string): Answer | undefined {
  const message = parsed(text);
  if (!isJsonObject(message) || message.method !== undefined) return undefined;
  return message.result === undefined && message.error === undefined ? undefined : { text, message };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface MessageEdit {
  /** Small messages too? */
  readonly always: boolean;
  apply(answer: Answer): Promise<string>;
}

function messageEdit({ verb, message }: ClientCall, parts: EditParts): MessageEdit {
  const { recoverTool } = parts;
  const { method, params } = message.kind === 'request' ? message : { method: '', params: {} };
  if (method === 'tools/list' && recoverTool !== undefined) {
    return { always: true, apply: (answer) => recoverTool.addTo(answer, params) };
  }
  return {
    always: false,
    apply: (answer) => {
      // A resumed stream carries answers to calls nobody remembers; what they answer shows in their shape.
      const answered = verb === 'GET' ? methodByShape(answer.message) : method;
      return shortenAnswer(answer, { method: answered, params, recoverTool: recoverTool?.name }, parts);
    },
  };
}

function methodByShape({ result }: JsonObject): string {
  if (!isJsonObject(result)) return '';
  if (Array.isArray(result.contents)) return 'resources/read';
  if (Array.isArray(result.messages)) return 'prompts/get';
  return Array.isArray(result.content) ? 'tools/call' : '';
}

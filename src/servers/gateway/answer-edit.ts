import type { JsonScanner, ObjectFacts } from '../../text/json-scan.ts';
import { isJsonObject, type JsonObject } from '../../text/json-value.ts';
import {
  type Answer,
  isAnswerTo,
  provesAnswer,
  readAnswer,
  type ScannedBytes,
  someAnswer,
} from './answer.ts';
import type { ClientCall } from './client-call.ts';
import { returnsContent } from './long-values.ts';
import type { RecoverTool } from './recover-tool.ts';
import { eventData, type ServerEvent, withEventData } from './server-events.ts';
import { type ShortenParts, shortenAnswer } from './shorten.ts';
import type { ToolFilter } from './tool-filter.ts';

export interface EditParts extends ShortenParts {
  /** `undefined` where the server has it switched off. */
  readonly recoverTool: RecoverTool | undefined;
  readonly scanner: JsonScanner;
  /** `undefined` where every tool is offered as it is. */
  readonly toolFilter?: ToolFilter | undefined;
}

/** What the gateway changes in the messages an upstream sends back; bytes it has no reason to change stay as they are. */
export interface AnswerEdit {
  /** Throws `upstream_invalid_response` for what is no JSON-RPC answer. */
  body(bytes: Buffer): Promise<Buffer>;
  event(event: ServerEvent): Promise<EditedEvent>;
}

export interface EditedEvent {
  readonly event: ServerEvent;
  /** `foreign` answers a request this client did not make here. */
  readonly role: 'answer' | 'foreign' | 'other';
}

export function answerEdit(call: ClientCall, parts: EditParts): AnswerEdit {
  const edit = messageEdit(call, parts);
  const { scanner } = parts;
  const idText = call.message.kind === 'request' ? call.message.idText : undefined;
  // No string has more UTF-16 units than bytes: what is short in bytes is short enough.
  const maxBytes = parts.limits.maxChars > 0 ? parts.limits.maxChars : undefined;
  const isShort = (bytes: Buffer, facts: ObjectFacts | undefined): facts is ObjectFacts =>
    facts !== undefined && !facts.hasLongString && bytes.length <= edit.maxShortBytes;
  return {
    body: async (bytes) => {
      const facts = scanner.scan(bytes, maxBytes);
      if (isShort(bytes, facts) && provesAnswer(facts, bytes, idText)) return bytes;
      return edit.apply(readAnswer({ bytes, facts }, idText));
    },
    event: async (event) => {
      const data = eventData(event);
      if (data.length === 0) return { event, role: 'other' };
      const facts = scanner.scan(data, maxBytes);
      const role = roleOf({ bytes: data, facts }, idText);
      if (role !== 'answer' || isShort(data, facts)) return { event, role };
      const answer = someAnswer({ bytes: data, facts });
      if (answer === undefined) return { event, role };
      const edited = await edit.apply(answer);
      return { event: edited === data ? event : withEventData(event, edited), role };
    },
  };
}

function roleOf(scanned: ScannedBytes, idText: string | undefined): EditedEvent['role'] {
  const { bytes, facts } = scanned;
  if (facts !== undefined && (facts.hasMethod || !(facts.hasResult || facts.hasError))) return 'other';
  if (facts !== undefined && provesAnswer(facts, bytes, idText)) return 'answer';
  const answer = someAnswer(scanned);
  if (answer === undefined) return 'other';
  return isAnswerTo(answer, idText) ? 'answer' : 'foreign';
}

interface MessageEdit {
  /** An answer of up to this many bytes is not edited if none of its strings is too long; -1: every answer is edited. */
  readonly maxShortBytes: number;
  /** The very same bytes where nothing changes. */
  apply(answer: Answer): Promise<Buffer>;
}

function messageEdit({ verb, message, client, signal }: ClientCall, parts: EditParts): MessageEdit {
  const { recoverTool, toolFilter } = parts;
  const { method, params } = message.kind === 'request' ? message : { method: '', params: {} };
  if (method === 'tools/list' && (recoverTool ?? toolFilter) !== undefined) {
    return { maxShortBytes: -1, apply: (answer) => editToolList(answer, params, parts) };
  }
  const { maxChars, maxResultChars } = parts.limits;
  const isSummed = maxChars > 0 && maxResultChars > 0 && (verb === 'GET' || returnsContent(method));
  return {
    maxShortBytes: isSummed ? maxResultChars : Number.POSITIVE_INFINITY,
    apply: (answer) => {
      // A resumed stream carries answers to calls nobody remembers; what they answer shows in their shape.
      const answered = verb === 'GET' ? methodByShape(answer.message) : method;
      const request = { method: answered, params, client, signal, recoverTool: recoverTool?.name };
      return shortenAnswer(answer, request, parts);
    },
  };
}

/** The recovery tool is the gateway's own: no filter takes it away, and its name avoids those of hidden tools too. */
async function editToolList(
  answer: Answer,
  params: JsonObject,
  { recoverTool, toolFilter }: EditParts,
): Promise<Buffer> {
  const added = (await recoverTool?.addTo(answer, params)) ?? answer.bytes;
  if (toolFilter === undefined) return added;
  const again = added === answer.bytes ? answer : someAnswer({ bytes: added, facts: undefined });
  return again === undefined ? added : toolFilter.apply(again);
}

function methodByShape({ result }: JsonObject): string {
  if (!isJsonObject(result)) return '';
  if (Array.isArray(result.contents)) return 'resources/read';
  if (Array.isArray(result.messages)) return 'prompts/get';
  return Array.isArray(result.content) ? 'tools/call' : '';
}

import { isJsonObject, type JsonObject } from '@secateur/base/text/json-value.ts';
import { type Answer, isAnswerTo, readAnswer, someAnswer } from './answer.ts';
import type { ClientCall } from './client-call.ts';
import type { RecoverTool } from './recover-tool.ts';
import { eventData, type ServerEvent, withEventData } from './server-events.ts';
import { type ShortenParts, shortenAnswer } from './shorten.ts';
import type { ToolFilter } from './tool-filter.ts';

export interface EditParts extends ShortenParts {
  /** `undefined` where the server has it switched off. */
  readonly recoverTool: RecoverTool | undefined;
  /** `undefined` where every tool is offered as it is. */
  readonly toolFilter?: ToolFilter | undefined;
}

/** Changes that the gateway makes in messages of an upstream; all other bytes stay as they are. */
export interface AnswerEdit {
  /** Throws `upstream_invalid_response` if it is not a JSON-RPC answer. */
  body(bytes: Buffer): Promise<Buffer>;
  event(event: ServerEvent): Promise<EditedEvent>;
}

export interface EditedEvent {
  readonly event: ServerEvent;
  /** `foreign` answers a request this client did not make here. */
  readonly role: 'answer' | 'foreign' | 'other';
}

export function answerEdit(call: ClientCall, parts: EditParts): AnswerEdit {
  const apply = messageEdit(call, parts);
  const idText = call.message.kind === 'request' ? call.message.idText : undefined;
  return {
    body: async (bytes) => apply(readAnswer(bytes, idText)),
    event: async (event) => {
      const data = eventData(event);
      const answer = data.length === 0 ? undefined : someAnswer(data);
      if (answer === undefined) return { event, role: 'other' };
      if (!isAnswerTo(answer, idText)) return { event, role: 'foreign' };
      const edited = await apply(answer);
      return { event: edited === data ? event : withEventData(event, edited), role: 'answer' };
    },
  };
}

/** Gives the very same bytes if nothing changes. */
type MessageEdit = (answer: Answer) => Promise<Buffer>;

function messageEdit({ verb, message, client, signal }: ClientCall, parts: EditParts): MessageEdit {
  const { recoverTool, toolFilter } = parts;
  const { method, params } = message.kind === 'request' ? message : { method: '', params: {} };
  if (method === 'tools/list' && (recoverTool ?? toolFilter) !== undefined) {
    return (answer) => editToolList(answer, params, parts);
  }
  return (answer) => {
    // A resumed stream carries answers to earlier calls; what they answer shows in their shape.
    const answered = verb === 'GET' ? methodByShape(answer.message) : method;
    const request = { method: answered, params, client, signal, recoverTool: recoverTool?.name };
    return shortenAnswer(answer, request, parts);
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
  const again = added === answer.bytes ? answer : someAnswer(added);
  return again === undefined ? added : toolFilter.apply(again);
}

function methodByShape({ result }: JsonObject): string {
  if (!isJsonObject(result)) return '';
  if (Array.isArray(result.contents)) return 'resources/read';
  if (Array.isArray(result.messages)) return 'prompts/get';
  return Array.isArray(result.content) ? 'tools/call' : '';
}

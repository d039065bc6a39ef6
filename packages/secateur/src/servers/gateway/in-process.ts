import { type Json, parsedJson } from '@secateur/base/text/json-value.ts';
import { readAnswer } from './answer.ts';
import type { AnswerEdit } from './answer-edit.ts';
import { type ClientCall, type ClientMessage, readClientMessage } from './client-call.ts';
import { failureText } from './failure.ts';
import { answerBytes } from './respond.ts';
import type { GatewayServer } from './server.ts';

/** Calls to the servers behind the gateway from the same process, without HTTP in between. */
export interface InProcessCalls {
  /**
   * Forwards one JSON-RPC message to a server and returns its answer, shortened as over HTTP. A server that fails is a
   * JSON-RPC error with the id of the request, never a rejection. Returns `undefined` for a notification.
   */
  handleRpc(serverName: string, request: unknown): Promise<Json | undefined>;
  /** Forwards one JSON-RPC message and returns the answer as the server gave it, without masking. */
  forwardJsonrpc(serverName: string, request: unknown): Promise<Json | undefined>;
}

export interface InProcessParts {
  /** Throws `unknown_server` if the table has no server of this name. */
  find(serverName: string): GatewayServer;
  limit(client: AbortSignal, timeoutMs: number): { signal: AbortSignal; end(): void };
}

export function inProcessCalls(parts: InProcessParts): InProcessCalls {
  return {
    handleRpc: (serverName, request) =>
      answered(request, parts, { serverName, editFor: (server, call) => server.editFor(call) }),
    forwardJsonrpc: (serverName, request) =>
      answered(request, parts, { serverName, editFor: (_, call) => checkOnly(call) }),
  };
}

interface Target {
  readonly serverName: string;
  editFor(server: GatewayServer, call: ClientCall): AnswerEdit;
}

async function answered(request: unknown, parts: InProcessParts, target: Target): Promise<Json | undefined> {
  let message: ClientMessage = { kind: 'none' };
  try {
    const body = Buffer.from(JSON.stringify(request) ?? '');
    message = readClientMessage(body);
    const server = parts.find(target.serverName);
    const limit = parts.limit(new AbortController().signal, server.options.timeoutMs);
    const call: ClientCall = { ...POSTED, body, message, signal: limit.signal };
    const text = await callServer(server, call, target).finally(limit.end);
    return parsedJson(text) as Json | undefined;
  } catch (error) {
    return JSON.parse(failureText(error, message.kind === 'request' ? message.idText : 'null')) as Json;
  }
}

const POSTED = {
  verb: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  acceptsEvents: false,
} as const;

async function callServer(server: GatewayServer, call: ClientCall, target: Target): Promise<string> {
  const own = await server.ownAnswer(call);
  if (own !== undefined) return own;
  let bytes = Buffer.alloc(0);
  const edit = target.editFor(server, call);
  await server.serve(call, async (answer) => {
    bytes = Buffer.from(await answerBytes(answer, { call, edit }));
  });
  return bytes.toString('utf8');
}

function checkOnly({ message }: ClientCall): AnswerEdit {
  const idText = message.kind === 'request' ? message.idText : undefined;
  return {
    body: async (bytes) => readAnswer(bytes, idText).bytes,
    event: async (event) => ({ event, role: 'other' }),
  };
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** Action of the scripted model at one turn, given what the agent sent it. */
export type Move =
  | { kind: 'say'; text: string }
  | { kind: 'call'; tool: string; args: Record<string, unknown> }
  /** Several calls in one turn, which the agent may run concurrently; in the Anthropic dialect only. */
  | { kind: 'calls'; calls: readonly ScriptedCall[] };

export interface ScriptedCall {
  tool: string;
  args: Record<string, unknown>;
}

export interface Turn {
  /** Names of the tools the agent offers. */
  tools: string[];
  /** Text that each tool call so far gave the model to read, oldest first. */
  toolResults: string[];
  /** Everything else the agent sent, as JSON. */
  told: string;
  /** Its system prompt as JSON, if the dialect sends it separately. */
  system?: string;
}

export type Script = (turn: Turn) => Move | Promise<Move>;

export interface ScriptedModel {
  url: string;
  /** Every turn as the model saw it: what reached it is what is paid for. */
  turns: Turn[];
  close(): Promise<void>;
}

export interface Dialect {
  /** Answers requests that are not turns (token counts, model lists); true when it did. */
  handleAside(request: IncomingMessage, body: unknown, response: ServerResponse): boolean;
  readTurn(body: unknown): Turn;
  writeMove(response: ServerResponse, move: Move, turnNumber: number): void;
}

/** A model on loopback that follows a script, speaking the dialect of the agent under test. */
export async function startScriptedModel(dialect: Dialect, script: Script): Promise<ScriptedModel> {
  const turns: Turn[] = [];
  const server = createServer(async (request, response) => {
    const body = await readJson(request);
    if (dialect.handleAside(request, body, response)) return;
    const turn = dialect.readTurn(body);
    turns.push(turn);
    const turnNumber = turns.length;
    dialect.writeMove(response, await script(turn), turnNumber);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    turns,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : JSON.parse(text);
}

export function sendEvents(response: ServerResponse, events: ModelEvent[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

export function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

export interface ModelEvent {
  type: string;
  [field: string]: unknown;
}

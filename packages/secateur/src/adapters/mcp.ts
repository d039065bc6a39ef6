/**
 * Sécateur for clients and servers of the official MCP SDK, `secateur/mcp`. It wraps the transport:
 *
 *     await client.connect(prunedClientTransport(secateur, new StdioClientTransport({ command: 'node', args })));
 *     await server.connect(prunedServerTransport(secateur, new StdioServerTransport()));
 */

import { type Fields, isFields } from '@secateur/base/text/json.ts';
import type { Secateur } from '@secateur/engine/secateur.ts';
import { History } from './conversation.ts';

/** The part of a transport that the adapter needs; the SDK's transports have it. */
export interface McpTransport {
  send(message: never, options?: never): Promise<void>;
  onmessage?: ((message: never, extra?: never) => void) | undefined;
}

/**
 * Wraps the transport of a client. Cuts results of `tools/call` before the client gets them, adds
 * `recover_text` to `tools/list` and answers calls of it. Create one per connection, because it remembers
 * what was shown.
 */
export function prunedClientTransport<Transport extends McpTransport>(
  secateur: Secateur,
  transport: Transport,
): Transport {
  const wire = new PrunedWire(secateur);
  return wrapped(transport, {
    send: async (message, pass) => {
      const answer = await wire.answerOf(message);
      return answer === undefined ? pass(wire.asked(message)) : { reply: answer };
    },
    receive: (message) => wire.answered(message),
  });
}

/**
 * Wraps the transport of a server. Cuts results of `tools/call` before they are sent, adds `recover_text` to
 * `tools/list` and answers calls of it. Create one per connection, because it remembers what was shown.
 */
export function prunedServerTransport<Transport extends McpTransport>(
  secateur: Secateur,
  transport: Transport,
): Transport {
  const wire = new PrunedWire(secateur);
  return wrapped(transport, {
    send: async (message, pass) => pass(await wire.answered(message)),
    receive: async (message, reply) => {
      const answer = await wire.answerOf(message);
      if (answer === undefined) return wire.asked(message);
      await reply(answer);
      return undefined;
    },
  });
}

const MAX_PENDING = 1000;

/** Tracks the requests of one connection by their ids. */
class PrunedWire {
  readonly #secateur: Secateur;
  readonly #history = new History();
  readonly #pending = new Map<unknown, Fields>();

  constructor(secateur: Secateur) {
    this.#secateur = secateur;
  }

  /** Returns the answer to a call of `recover_text`; `undefined` for every other message. */
  async answerOf({ id, method, params }: Fields): Promise<Fields | undefined> {
    const { recoverTool } = this.#secateur;
    if (method !== 'tools/call' || !isFields(params) || params.name !== recoverTool.name) return undefined;
    const text = await recoverTool.call(params.arguments);
    return { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } };
  }

  /** Remembers a request whose response must be changed. */
  asked(message: Fields): Fields {
    const { id, method } = message;
    if (id === undefined || (method !== 'tools/call' && method !== 'tools/list')) return message;
    this.#pending.set(id, message);
    // A cancelled request gets no response, so the oldest pending requests are dropped.
    const [oldest] = this.#pending.keys();
    if (this.#pending.size > MAX_PENDING) this.#pending.delete(oldest);
    return message;
  }

  /** Returns a message. If it is the response to a remembered request, its result is changed. */
  async answered(message: Fields): Promise<Fields> {
    const request = message.method === undefined ? this.#pending.get(message.id) : undefined;
    if (request === undefined || message.id === undefined) return message;
    this.#pending.delete(message.id);
    const { result } = message;
    if (!isFields(result)) return message;
    const changed = request.method === 'tools/list' ? this.#listed(result) : await this.#cut(request, result);
    return { ...message, result: changed };
  }

  /** Adds `recover_text` to the last page of a tool list. */
  #listed(result: Fields): Fields {
    if (!Array.isArray(result.tools) || result.nextCursor !== undefined) return result;
    const { name, description, inputSchema } = this.#secateur.recoverTool;
    return { ...result, tools: [...result.tools, { name, description, inputSchema }] };
  }

  async #cut({ id, params }: Fields, result: Fields): Promise<Fields> {
    if (!isFields(params) || !Array.isArray(result.content)) return result;
    const call = { tool: String(params.name), id: String(id), input: params.arguments };
    return { ...result, content: await this.#history.cut(this.#secateur, result.content, call) };
  }
}

interface Steps {
  /** Sends a message. Returns a message that the transport must deliver to its owner instead. */
  send(
    message: Fields,
    pass: (message: Fields) => Promise<undefined>,
  ): Promise<{ readonly reply: Fields } | undefined>;
  /** Returns the message for the owner of the transport. `undefined` if the adapter has answered it. */
  receive(message: Fields, reply: (message: Fields) => Promise<unknown>): Promise<Fields | undefined>;
}

type Listener = (message: Fields, extra?: unknown) => void;

/** Returns the transport with changed messages; all other members stay the same. */
function wrapped<Transport extends McpTransport>(transport: Transport, steps: Steps): Transport {
  const target = transport as unknown as Record<string | symbol, unknown> & {
    send(message: Fields, options?: unknown): Promise<void>;
  };
  let listener: Listener | undefined;
  const send = async (message: Fields, options?: unknown): Promise<void> => {
    const outcome = await steps.send(message, async (passed) => void (await target.send(passed, options)));
    if (outcome !== undefined) listener?.(outcome.reply);
  };
  const receive: Listener = async (message, extra) => {
    const reply = (answer: Fields) => target.send(answer);
    const passed = await steps.receive(message, reply).catch(() => message);
    if (passed !== undefined) listener?.(passed, extra);
  };
  return new Proxy(target, {
    get: (_, key) => {
      if (key === 'send') return send;
      const value = key === 'onmessage' ? listener : target[key];
      return typeof value === 'function' && key !== 'onmessage' ? value.bind(target) : value;
    },
    set: (_, key, value) => {
      if (key === 'onmessage') listener = value as Listener;
      target[key] = key === 'onmessage' ? receive : value;
      return true;
    },
  }) as unknown as Transport;
}

import type { Dialect, Move, Turn } from '../scripted-model.ts';
import { sendEvents, sendJson } from '../scripted-model.ts';

interface ResponsesRequest {
  input?: { type?: string; output?: unknown }[];
  tools?: { name?: string; type?: string; tools?: { name: string }[] }[];
}

/** The Responses API as Codex speaks it; a tool is `mcp__server` and `name`, written here as `mcp__server__name`. */
export const responsesDialect: Dialect = {
  handleAside: (request, _body, response) => {
    if (request.method === 'POST' && request.url?.endsWith('/responses')) return false;
    sendJson(response, { object: 'list', data: [], models: [] });
    return true;
  },
  readTurn: (body) => readTurn(body as ResponsesRequest),
  writeMove: (response, move, turnNumber) => {
    const id = `resp_${turnNumber}`;
    const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    sendEvents(response, [
      { type: 'response.created', response: { id } },
      { type: 'response.output_item.done', item: itemOf(move, turnNumber) },
      { type: 'response.completed', response: { id, usage } },
    ]);
  },
};

function readTurn({ input = [], tools = [] }: ResponsesRequest): Turn {
  const outputs = input.filter((item) => item.type === 'function_call_output');
  const names = tools.flatMap((tool) =>
    tool.tools === undefined
      ? [tool.name ?? tool.type ?? '']
      : tool.tools.map(({ name }) => `${tool.name}__${name}`),
  );
  return {
    tools: names,
    toolResults: outputs.map(({ output }) => textOf(output)),
    told: JSON.stringify(input),
  };
}

function textOf(output: unknown): string {
  if (typeof output === 'string') return output;
  if (!Array.isArray(output)) return JSON.stringify(output);
  return output.map((part: { text?: string }) => part.text ?? JSON.stringify(part)).join('\n');
}

function itemOf(move: Move, turnNumber: number) {
  if (move.kind === 'say') {
    return {
      type: 'message',
      role: 'assistant',
      id: `msg_${turnNumber}`,
      content: [{ type: 'output_text', text: move.text }],
    };
  }
  if (move.kind === 'calls') throw new Error('this dialect makes one call per turn');
  const [, namespace, name = move.tool] = /^(.*)__([^_].*)$/.exec(move.tool) ?? [];
  return {
    type: 'function_call',
    call_id: `call_${turnNumber}`,
    namespace,
    name,
    arguments: JSON.stringify(move.args),
  };
}

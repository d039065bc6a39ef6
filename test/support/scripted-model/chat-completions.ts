import type { Dialect, Move, Turn } from '../scripted-model.ts';
import { sendJson } from '../scripted-model.ts';

interface ChatRequest {
  messages?: { role: string; content: unknown }[];
  tools?: { function?: { name: string } }[];
}

/** The Chat Completions API, without streaming, as AI SDK, OpenAI Agents and LangChain speak it. */
export const chatDialect: Dialect = {
  handleAside: (request, _body, response) => {
    if (request.method === 'POST' && request.url?.endsWith('/chat/completions')) return false;
    sendJson(response, { object: 'list', data: [] });
    return true;
  },
  readTurn: (body) => readTurn(body as ChatRequest),
  writeMove: (response, move, turnNumber) => {
    const message = { role: 'assistant', ...answerOf(move, turnNumber) };
    const finish_reason = move.kind === 'say' ? 'stop' : 'tool_calls';
    sendJson(response, {
      id: `chat_${turnNumber}`,
      object: 'chat.completion',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, message, finish_reason }],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    });
  },
};

function readTurn({ messages = [], tools = [] }: ChatRequest): Turn {
  const results = messages.filter(({ role }) => role === 'tool');
  return {
    tools: tools.flatMap((tool) => tool.function?.name ?? []),
    toolResults: results.map(({ content }) => textOf(content)),
    told: JSON.stringify(messages),
  };
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content);
  return content.map(({ text = '' }: { text?: string }) => text).join('\n');
}

function answerOf(move: Move, turnNumber: number) {
  if (move.kind === 'say') return { content: move.text };
  const calls = move.kind === 'calls' ? move.calls : [move];
  const called = calls.map(({ tool, args }, index) => ({
    id: `call_${turnNumber}_${index}`,
    type: 'function',
    function: { name: tool, arguments: JSON.stringify(args) },
  }));
  return { content: null, tool_calls: called };
}

import type { Dialect, Move, Turn } from '../scripted-model.ts';
import { sendEvents, sendJson } from '../scripted-model.ts';

interface MessagesRequest {
  messages?: { role: string; content: string | Block[] }[];
  tools?: { name: string }[];
  system?: unknown;
}

interface Block {
  type: string;
  text?: string;
  content?: string | Block[];
}

/** The Messages API as Claude Code and the Claude Agent SDK speak it. */
export const anthropicDialect: Dialect = {
  handleAside: (request, body, response) => {
    if (request.url?.includes('count_tokens')) {
      sendJson(response, { input_tokens: 100 });
      return true;
    }
    const { tools } = body as MessagesRequest;
    // Titles, topic checks and the like come without tools and are not turns of the task.
    if (tools === undefined || tools.length === 0) {
      writeMessage(response, { kind: 'say', text: 'ok' }, 0);
      return true;
    }
    return false;
  },
  readTurn: (body) => readTurn(body as MessagesRequest),
  writeMove: writeMessage,
};

function readTurn({ messages = [], tools = [], system = '' }: MessagesRequest): Turn {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const results = blocks.filter((block) => block.type === 'tool_result');
  return {
    tools: tools.map((tool) => tool.name),
    toolResults: results.map((block) => textOf(block.content)),
    told: JSON.stringify(messages),
    system: JSON.stringify(system),
  };
}

function textOf(content: string | Block[] | undefined): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map((block) => block.text ?? '').join('\n');
}

function writeMessage(response: Parameters<typeof sendEvents>[0], move: Move, turnNumber: number): void {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = {
    id: `msg_${turnNumber}`,
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const stop_reason = move.kind === 'say' ? 'end_turn' : 'tool_use';
  sendEvents(response, [
    { type: 'message_start', message },
    ...blockEvents(move, turnNumber),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]);
}

function blockEvents(move: Move, turnNumber: number) {
  if (move.kind === 'say') {
    const delta = { type: 'text_delta', text: move.text };
    return oneBlock(0, { type: 'text', text: '' }, delta);
  }
  const calls = move.kind === 'calls' ? move.calls : [move];
  return calls.flatMap(({ tool, args }, index) => {
    const id = index === 0 ? `toolu_${turnNumber}` : `toolu_${turnNumber}n${index}`;
    const delta = { type: 'input_json_delta', partial_json: JSON.stringify(args) };
    return oneBlock(index, { type: 'tool_use', id, name: tool, input: {} }, delta);
  });
}

function oneBlock(index: number, content_block: object, delta: object) {
  return [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_delta', index, delta },
    { type: 'content_block_stop', index },
  ];
}

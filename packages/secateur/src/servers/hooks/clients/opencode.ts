import { join } from 'node:path';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import { type HookClient, type HookEvent, originNamed, pathIn, type ToolCall, textAt } from '../client.ts';
import { type ClientHome, sentEntries, type TranscriptEntry } from '../transcript.ts';

/** Returns the opencode plugin. It calls Sécateur. If the call fails, the output stays unchanged. */
function pluginText(command: string): string {
  return `// Written by \`secateur connect opencode\`; \`secateur connect opencode --undo\` removes it.
import { spawn } from 'node:child_process';

const COMMAND = ${JSON.stringify(command)};
const TIMEOUT_MS = 10_000;
const WRITING = ['bash', 'edit', 'write', 'multiedit', 'patch', 'apply_patch'];
const MESSAGES = 30;

function ask(event) {
  return new Promise((resolve) => {
    const child = spawn(COMMAND, { shell: true, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => {
      child.kill();
      resolve({});
    }, TIMEOUT_MS);
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      said += chunk;
    });
    child.on('error', () => resolve({}));
    child.on('close', () => {
      clearTimeout(timer);
      try {
        resolve(JSON.parse(said) ?? {});
      } catch {
        resolve({});
      }
    });
    child.stdin.on('error', () => {}).end(JSON.stringify(event));
  });
}

/** The places of an answer where its texts stand: one text, or the parts of an MCP answer. */
function placesOf(output) {
  if (typeof output.output === 'string') return [[output, 'output']];
  const parts = Array.isArray(output.content) ? output.content : [];
  return parts.filter((part) => part.type === 'text').map((part) => [part, 'text']);
}

export const Secateur = async ({ client, directory: cwd }) => {
  const { tell } = await ask({ hook: 'session', cwd });
  return {
    'experimental.chat.system.transform': async (_, { system }) => {
      if (tell) system.push(tell);
    },
    'tool.execute.before': async ({ tool, callID, sessionID }, { args }) => {
      if (!WRITING.includes(tool) && !tool.includes('_')) return;
      const { refuse } = await ask({ hook: 'before', tool, callID, args, cwd, messages: await messagesOf(sessionID) });
      if (refuse) throw new Error(refuse);
    },
    'tool.execute.after': async ({ tool, callID, sessionID, args }, output) => {
      const places = placesOf(output);
      const messages = await messagesOf(sessionID);
      const { texts } = await ask({ hook: 'after', tool, callID, args, cwd, messages, texts: places.map(([at, key]) => at[key]) });
      if (!Array.isArray(texts) || texts.length !== places.length) return;
      for (const [index, [at, key]] of places.entries()) at[key] = texts[index];
    },
  };

  async function messagesOf(id) {
    const found = await client.session.messages({ path: { id } }).catch(() => ({}));
    return (found.data ?? []).slice(-MESSAGES);
  }
};
`;
}

/** opencode. The plugin sends each event to `secateur hook opencode` and applies the answer. */
export const opencode: HookClient = {
  name: 'opencode',
  title: 'opencode',
  read: async (event) => {
    if (event.hook === 'session') return { kind: 'session', tell: (message) => ({ tell: message }) };
    const call = callOf(event);
    if (call === undefined) return undefined;
    return event.hook === 'after' ? outputEvent(call, event) : writeEvent(call, event);
  },
  readEntry: () => [],
  folders: ({ env, homeDir }) => ({
    transcripts: [join(env.XDG_DATA_HOME ?? join(homeDir, '.local/share'), 'opencode/storage')],
  }),
  tellsWhatIsShown: true,
  recoverTool: 'recover_text',
  installation: {
    file: (origin) => join(settingsFolder(origin), 'plugins/secateur.js'),
    folder: settingsFolder,
    form: { kind: 'file', write: pluginText, command: /^const COMMAND = (".*");$/m },
  },
  sample: (output) => ({
    event: {
      hook: 'after',
      tool: 'bash',
      args: { command: 'npm test', description: 'Find out why the retry test fails' },
      texts: [output],
    },
    shownIn: ({ texts }) => (Array.isArray(texts) ? texts[0] : undefined),
  }),
};

function settingsFolder({ env, homeDir }: ClientHome): string {
  return join(env.XDG_CONFIG_HOME ?? join(homeDir, '.config'), 'opencode');
}

function callOf(event: Fields): ToolCall | undefined {
  const tool = textAt(event, 'tool');
  const input = event.args;
  if (tool === undefined || !isFields(input)) return undefined;
  return {
    tool,
    id: textAt(event, 'callID'),
    source: originNamed(input, { tool, shell: 'bash', reader: 'read', path: 'filePath' }),
    path: pathIn(input),
    purpose: textAt(input, 'description') ?? textAt(input, 'prompt'),
    cwd: textAt(event, 'cwd'),
    entries: sentEntries(event) ?? (Array.isArray(event.messages) ? event.messages : []).flatMap(entriesOf),
  };
}

const WRITING = new Set(['bash', 'edit', 'write', 'multiedit', 'patch', 'apply_patch']);
const CUT_TOOLS = new Set(['bash', 'read', 'grep', 'glob', 'list', 'webfetch', 'task']);

function writeEvent(call: ToolCall, event: Fields): HookEvent | undefined {
  // Names of MCP tools have an underscore between server and tool.
  if (event.hook !== 'before' || !(WRITING.has(call.tool) || call.tool.includes('_'))) return undefined;
  const refuse = (reason: string) => ({ refuse: reason });
  return { kind: 'write', call, input: event.args, path: pathIn(event.args), refuse };
}

function outputEvent(call: ToolCall, { texts, args }: Fields): HookEvent | undefined {
  // Names of MCP tools have an underscore between server and tool.
  const isCut = CUT_TOOLS.has(call.tool) || (call.tool.includes('_') && !WRITING.has(call.tool));
  // The agent requested certain lines by number, so they are not cut.
  const isNamed = isFields(args) && (args.offset ?? 0) !== 0;
  const isText = Array.isArray(texts) && texts.every((text) => typeof text === 'string');
  if (!isCut || isNamed || !isText) return undefined;
  return { kind: 'output', call, texts, replace: (cut) => ({ texts: cut }) };
}

function entriesOf(message: unknown): TranscriptEntry[] {
  if (!isFields(message) || !isFields(message.info) || !Array.isArray(message.parts)) return [];
  const kind = message.info.role === 'user' ? 'user' : 'agent';
  const read = message.parts.filter(isFields).flatMap((part) => partEntries(kind, part));
  // A summary replaces all messages before it.
  return message.info.summary === true ? [{ kind: 'compaction' }, ...read] : read;
}

function partEntries(kind: 'user' | 'agent', part: Fields): TranscriptEntry[] {
  const text = textAt(part, 'text') ?? '';
  if (part.type === 'text') return text.trim() === '' || part.synthetic === true ? [] : [{ kind, text }];
  if (part.type !== 'tool' || !isFields(part.state)) return [];
  return toolEntries(part, part.state);
}

function toolEntries(part: Fields, state: Fields): TranscriptEntry[] {
  const id = textAt(part, 'callID') ?? '';
  const call = { kind: 'call' as const, id, tool: textAt(part, 'tool') ?? '', input: state.input };
  const output = textAt(state, 'output') ?? textAt(state, 'error') ?? '';
  const { end, compacted } = isFields(state.time) ? state.time : {};
  // A cleared output is still in the message, but the model no longer gets it.
  if (output === '' || compacted !== undefined) return [call];
  return [call, { kind: 'result', id, text: output, at: typeof end === 'number' ? end : undefined }];
}

/** The plugin opencode loads. It asks our program and, whatever goes wrong there, changes nothing. */
export function pluginText(command: string): string {
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

export function commandOfPlugin(text: string): string | undefined {
  const found = /^const COMMAND = (".*");$/m.exec(text)?.[1];
  return found === undefined ? undefined : String(JSON.parse(found));
}

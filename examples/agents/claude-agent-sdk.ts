/** An agent of the Claude Agent SDK that reads cut outputs. Run: node claude-agent-sdk.js 'Why do the tests fail?' */
import { query } from '@anthropic-ai/claude-agent-sdk';
import { createSecateur } from 'secateur';
import { withSecateur } from 'secateur/claude-agent-sdk';

const secateur = await createSecateur();
const options = withSecateur(secateur, {
  allowedTools: ['Bash', 'Read', 'Write'],
  // Where Claude Code is; the SDK finds its own unless this is set.
  ...(process.env.CLAUDE_CODE && { pathToClaudeCodeExecutable: process.env.CLAUDE_CODE }),
});

const prompt = process.argv[2] ?? 'Why do the tests fail?';
for await (const message of query({ prompt, options })) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result);
}
await secateur.close();

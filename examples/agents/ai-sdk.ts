/** An agent of the AI SDK that reads cut outputs. Run: MODEL_URL=http://… node ai-sdk.js 'Why do the tests fail?' */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, tool } from 'ai';
import { createSecateur } from 'secateur';
import { withSecateur } from 'secateur/ai-sdk';
import { z } from 'zod';
import { shell } from './shell.js';

const provider = createOpenAICompatible({
  name: 'mine',
  baseURL: `${process.env.MODEL_URL}/v1`,
  apiKey: 'key',
});
const secateur = await createSecateur();

const tools = withSecateur(secateur, {
  shell: tool({
    description: 'Runs a shell command.',
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => shell(command),
  }),
});

const { text } = await generateText({
  model: provider('scripted'),
  tools,
  prompt: process.argv[2] ?? 'Why do the tests fail?',
  stopWhen: isStepCount(10),
});
console.log(text);
await secateur.close();

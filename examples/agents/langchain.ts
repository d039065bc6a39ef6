/** An agent of LangChain that reads cut outputs. Run: MODEL_URL=http://… node langchain.js 'Why do the tests fail?' */
import { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, tool } from 'langchain';
import { createSecateur } from 'secateur';
import { secateurMiddleware } from 'secateur/langchain';
import { z } from 'zod';
import { shell } from './shell.js';

const secateur = await createSecateur();
const configuration = { baseURL: `${process.env.MODEL_URL}/v1` };
const model = new ChatOpenAI({ model: 'scripted', apiKey: 'key', configuration });

const shellTool = tool(({ command }) => shell(command), {
  name: 'shell',
  description: 'Runs a shell command.',
  schema: z.object({ command: z.string() }),
});

const agent = createAgent({
  model,
  tools: [shellTool],
  middleware: [secateurMiddleware(secateur, { createMiddleware, tool })],
});
const { messages } = await agent.invoke({ messages: process.argv[2] ?? 'Why do the tests fail?' });
console.log(messages.at(-1)?.content);
await secateur.close();

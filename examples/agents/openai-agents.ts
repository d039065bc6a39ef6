/** An agent of the OpenAI Agents SDK that reads cut outputs. Run: MODEL_URL=http://… node openai-agents.js 'Why do the tests fail?' */
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
import { createSecateur } from 'secateur';
import { withSecateur } from 'secateur/openai-agents';
import { z } from 'zod';
import { shell } from './shell.js';

setTracingDisabled(true);
const baseURL = `${process.env.MODEL_URL}/v1`;
const modelProvider = new OpenAIProvider({ baseURL, apiKey: 'key', useResponses: false });
const secateur = await createSecateur();

const shellTool = tool({
  name: 'shell',
  description: 'Runs a shell command.',
  parameters: z.object({ command: z.string() }),
  execute: ({ command }) => shell(command),
});
const { tools, callModelInputFilter } = withSecateur(secateur, [shellTool], { tool });

const agent = new Agent({ name: 'Fixer', instructions: 'Fix the project.', model: 'scripted', tools });
const runner = new Runner({ modelProvider, callModelInputFilter });
const { finalOutput } = await runner.run(agent, process.argv[2] ?? 'Why do the tests fail?');
console.log(finalOutput);
await secateur.close();

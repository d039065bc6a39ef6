import { existsSync, readFileSync } from 'node:fs';
import type { Origin } from '../../config/origin.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import { runAttached } from '../../workspace/run-attached.ts';
import { CLIENTS, type McpClient } from '../connect/clients.ts';
import { ownCommands } from '../connect/hook-entries.ts';
import { usageError } from '../usage-error.ts';
import type { Finding } from './examine.ts';
import { SAMPLE_OUTPUT, sampleEvent } from './sample-event.ts';

/** Sends a sample event through the hook that is installed in a client, and says what its agent would see. */
export async function examineClient(name: string, origin: Origin): Promise<Finding[]> {
  const client = CLIENTS.find((each) => each.name === name);
  if (client?.hooks === undefined)
    throw usageError(`${name}: no client with hooks; one of ${withHooks().join(', ')}`);
  const { path } = client.hooks(origin);
  const commands = existsSync(path) ? ownCommands(readFileSync(path, 'utf8')) : [];
  const [command] = commands;
  if (command === undefined) return [notConnected(client, path)];
  return [
    { what: client.title, state: 'fine', found: `${commands.length} hooks in ${path}` },
    await tryHook(client, command, origin),
  ];
}

function withHooks(): string[] {
  return CLIENTS.filter(({ hooks }) => hooks !== undefined).map(({ name }) => name);
}

function notConnected({ title, name }: McpClient, path: string): Finding {
  const advice = `secateur connect ${name} --write, or install the plugin.`;
  return { what: title, state: 'broken', found: `no hook of secateur in ${path}`, advice };
}

const MOST_BYTES = 1024 * 1024;

async function tryHook({ name, title }: McpClient, command: string, origin: Origin): Promise<Finding> {
  const sample = sampleEvent(name);
  const outcome = await runAttached({
    file: command,
    args: [],
    isShellLine: true,
    cwd: origin.cwd,
    env: { ...origin.env, SECATEUR_HOOK_LOG: 'stderr' },
    input: JSON.stringify(sample.event),
    maxBytes: MOST_BYTES,
    onOverflow: () => {},
  }).finally(sample.remove);
  const answer = outcome.output?.stdout.toString('utf8') ?? '';
  const shown = sample.shownIn(answer);
  if (shown === undefined) {
    const said = outcome.output?.stderr.toString('utf8').trim() || `it answered ${answer || 'nothing'}`;
    return { what: 'A sample output', state: 'broken', found: `passes ${title} whole`, advice: said };
  }
  const [before, after] = [SAMPLE_OUTPUT, shown].map(estimateTokens);
  return {
    what: 'A sample output',
    state: 'fine',
    found: `${before} tokens of a test run reach the agent as ${after}:`,
    advice: `\n${shown}`.replaceAll('\n', '\n    '),
  };
}

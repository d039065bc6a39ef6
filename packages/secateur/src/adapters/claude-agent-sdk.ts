/**
 * Sécateur for the Claude Agent SDK, `secateur/claude-agent-sdk`. It adds hooks and the tool `recover_text` to the options:
 *
 *     for await (const message of query({ prompt, options: withSecateur(secateur, { allowedTools: ['Bash'] }) })) …
 */

import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { type Fields, isFields } from '@secateur/base/text/json.ts';
import { type Tool, textResult } from '@secateur/base/tools/tool.ts';
import type { Secateur } from '@secateur/engine/secateur.ts';
import { createDispatcher } from '@secateur/serving/wire/dispatcher.ts';
import { NO_CHANGE, type OutputEvent } from '../servers/hooks/client.ts';
import { HOOK_CLIENTS } from '../servers/hooks/clients.ts';
import { findRepeatedCut } from '../servers/hooks/earlier-cuts.ts';
import { type ClientFolders, entriesBefore, eventFiles } from '../servers/hooks/transcript.ts';
import { reasonToRefuse } from '../servers/hooks/write-guard.ts';
import { holdsMarker } from '../servers/hooks/written-markers.ts';
import { cutOptions } from './conversation.ts';

/** The part of the options of `query` that the adapter changes. */
export interface ClaudeOptions {
  readonly hooks?: Readonly<Record<string, readonly object[] | undefined>> | undefined;
  readonly mcpServers?: Readonly<Record<string, object>> | undefined;
  readonly allowedTools?: readonly string[] | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The options that the adapter sets. Type `never` is assignable to the types that the SDK expects. */
export interface PrunedClaudeOptions {
  hooks: Record<string, never>;
  mcpServers: Record<string, never>;
  allowedTools: string[];
}

/**
 * Returns the options with hooks that cut outputs and refuse to write a marker into a file, and with a server
 * `secateur` in this process that offers `recover_text`. Other hooks, servers and tools are kept.
 */
export function withSecateur<Options extends ClaudeOptions>(
  secateur: Secateur,
  options: Options = {} as Options,
): Omit<Options, keyof PrunedClaudeOptions> & PrunedClaudeOptions {
  const hook = (event: unknown) => answerEvent(secateur, event, options.env ?? {});
  const added = (event: string) => [...(options.hooks?.[event] ?? []), { hooks: [hook] }];
  const events = ['PreToolUse', 'PostToolUse'];
  const hooks = { ...options.hooks, ...Object.fromEntries(events.map((event) => [event, added(event)])) };
  const own = { type: 'sdk', name: 'secateur', instance: recoveryServer(secateur) };
  return {
    ...options,
    hooks: hooks as Record<string, never>,
    mcpServers: { ...options.mcpServers, secateur: own } as unknown as Record<string, never>,
    allowedTools: [...(options.allowedTools ?? []), 'mcp__secateur__recover_text'],
  };
}

/** The SDK runs Claude Code, so its hook events have the format of Claude Code. */
const client = HOOK_CLIENTS.find(({ name }) => name === 'claude-code');

/** Answers one hook event. Never rejects: if it fails, the answer changes nothing. */
async function answerEvent(
  secateur: Secateur,
  fields: unknown,
  env: Readonly<Record<string, string | undefined>>,
): Promise<object> {
  try {
    if (client === undefined || !isFields(fields)) return NO_CHANGE;
    const files = eventFiles(foldersOf(fields, env), { access: 'all' });
    const event = await client.read(fields, files);
    if (event?.kind === 'write') {
      const guard = { program: 'secateur', files, allowsMarkers: false };
      const reason = await reasonToRefuse(event, client, guard);
      return reason === undefined ? NO_CHANGE : event.refuse(reason);
    }
    if (event?.kind !== 'output' || isExempt(event)) return NO_CHANGE;
    const entries = await entriesBefore(event.call, client, files);
    if (findRepeatedCut(event.call, entries) !== undefined) return NO_CHANGE;
    return await cutEvent(secateur, event, cutOptions(event.call, entries));
  } catch {
    return NO_CHANGE;
  }
}

/** Returns the folders of Claude Code, and the folder of the session, which the event names. */
function foldersOf(
  { transcript_path: transcript }: Fields,
  env: Readonly<Record<string, string | undefined>>,
): ClientFolders {
  const session = typeof transcript === 'string' ? [dirname(transcript)] : [];
  const usual = client?.folders?.({ env, homeDir: env.HOME ?? homedir() });
  return {
    transcripts: [...session, ...(usual?.transcripts ?? [])],
    outputs: [...session, ...(usual?.outputs ?? [])],
  };
}

/** Whether an output must not be cut: a report of a subagent, or lines that `recover_text` returned. */
function isExempt({ call }: OutputEvent): boolean {
  return call.source.kind === 'report' || call.tool.endsWith('__recover_text');
}

async function cutEvent(
  secateur: Secateur,
  { texts, numbered, firstLine, mostChars = Number.POSITIVE_INFINITY, replace }: OutputEvent,
  options: ReturnType<typeof cutOptions>,
): Promise<object> {
  const asked = { ...options, lineNumbers: numbered, firstLine };
  const cuts = await Promise.all(
    texts.map(async (text) => {
      const { text: cut, whole } = holdsMarker(text)
        ? { text, whole: true }
        : await secateur.cut(text, asked);
      return whole === undefined ? cut : text;
    }),
  );
  const isChanged = cuts.some((text, index) => text !== texts[index]);
  return isChanged && cuts.join('').length <= mostChars ? replace(cuts) : NO_CHANGE;
}

type Request = { readonly id?: number; readonly method?: string; readonly params?: Fields };

/** Transport methods that the SDK calls on an in-process server. */
interface InProcessTransport {
  onmessage?: (message: unknown) => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
}

function recoveryServer({ recoverTool }: Secateur) {
  const { name, description, inputSchema } = recoverTool;
  const tool: Tool = {
    ...{ name, description, inputSchema: inputSchema as unknown as Tool['inputSchema'] },
    call: async (args) => textResult(await recoverTool.call(args)),
  };
  const { dispatch } = createDispatcher({ name: 'secateur', version: '1', tools: [tool] });
  const { signal } = new AbortController();
  return {
    connect: async (transport: InProcessTransport): Promise<void> => {
      transport.onmessage = async (message) => {
        const { id, method, params = {} } = message as Request;
        if (id === undefined || method === undefined) return;
        const answer = await dispatch({ kind: 'request', id, method, params }, { signal });
        if (answer !== undefined) await transport.send(answer);
      };
      await transport.start();
    },
  };
}

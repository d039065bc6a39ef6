import { bodyTooLarge, type Caller, type RawRoute, readBody } from '@secateur/serving/wire/http-route.ts';
import { parseJson } from '@secateur/serving/wire/protocol.ts';
import { NO_CHANGE } from './client.ts';
import { HOOK_CLIENTS } from './clients.ts';
import { answerEvent, type HookDeps } from './hook.ts';
import { type FileAccess, TranscriptMemory } from './transcript.ts';

/** Creates `POST /hooks/CLIENT`, which answers as `secateur hook CLIENT` does, without starting a process. */
export function hookRoutes(parts: Omit<HookDeps, 'access'>): RawRoute[] {
  const memory = new TranscriptMemory();
  return HOOK_CLIENTS.map((client) => ({
    kind: 'raw',
    method: 'POST',
    path: `/hooks/${client.name}`,
    tool: 'prune_text',
    failureBody: () => NO_CHANGE,
    // Reads the body itself: a body that is not JSON changes nothing.
    handle: async (exchange) => {
      const { request, response, signal, maxBodyBytes } = exchange;
      const body = await readBody(request, maxBodyBytes);
      if (body.kind === 'too_large') return exchange.refuse(bodyTooLarge(maxBodyBytes));
      const json = body.kind === 'read' ? parseJson(body.bytes) : undefined;
      const event = json?.kind === 'parsed' ? json.value : undefined;
      const access = ACCESS[await exchange.caller()];
      const answer = JSON.stringify(await answerEvent(client, event, { ...parts, memory, access, signal }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    },
  }));
}

const ACCESS: Readonly<Record<Caller, FileAccess>> = {
  socket: 'all',
  own_user: 'transcripts',
  other: 'nothing',
};

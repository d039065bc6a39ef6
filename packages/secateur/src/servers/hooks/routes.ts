import {
  bodyTooLarge,
  type Caller,
  type HttpExchange,
  type RawRoute,
  readBody,
} from '@secateur/serving/wire/http-route.ts';
import { parseJson } from '@secateur/serving/wire/protocol.ts';
import { type HookClient, NO_CHANGE } from './client.ts';
import { HOOK_CLIENTS } from './clients.ts';
import { answerEvent, type HookDeps } from './hook.ts';
import { type FileAccess, TranscriptMemory } from './transcript.ts';

/** Creates `POST /hooks/CLIENT`. It answers like `secateur hook CLIENT`, but starts no process. */
export function hookRoutes(parts: Omit<HookDeps, 'access'>): RawRoute[] {
  const memory = new TranscriptMemory();
  // Reads the body itself, because a body that is not JSON must get the answer that changes nothing.
  return clientRoutes({ path: '/hooks/:client' }, async (client, exchange) => {
    const { request, signal, maxBodyBytes } = exchange;
    const body = await readBody(request, maxBodyBytes);
    if (body.kind === 'too_large') return exchange.refuse(bodyTooLarge(maxBodyBytes));
    const json = body.kind === 'read' ? parseJson(body.bytes) : undefined;
    const event = json?.kind === 'parsed' ? json.value : undefined;
    const access = ACCESS[await exchange.caller()];
    return answerEvent(client, event, { ...parts, memory, access, signal });
  });
}

/** Creates one route per client. `path` contains its name. `answer` returns nothing if it has sent the response itself. */
export function clientRoutes(
  { path }: { readonly path: string },
  answer: (client: HookClient, exchange: HttpExchange) => Promise<unknown>,
): RawRoute[] {
  return HOOK_CLIENTS.map((client) => ({
    ...{ kind: 'raw', method: 'POST', path: path.replace(':client', client.name), tool: 'prune_text' },
    failureBody: () => NO_CHANGE,
    handle: async (exchange) => {
      const json = JSON.stringify(await answer(client, exchange));
      if (json !== undefined)
        exchange.response.writeHead(200, { 'content-type': 'application/json' }).end(json);
    },
  }));
}

const ACCESS: Readonly<Record<Caller, FileAccess>> = {
  socket: 'all',
  own_user: 'transcripts',
  other: 'nothing',
};

import { readBody } from '../../wire/http-body.ts';
import type { RawRoute } from '../../wire/http-route.ts';
import { parseJson } from '../../wire/json-text.ts';
import type { HookClient } from './client.ts';
import { HOOK_CLIENTS } from './clients.ts';
import { answerEvent, type HookParts } from './hook.ts';

/** `POST /hooks/CLIENT`: the same answers as `secateur hook CLIENT`, without the start of a process. */
export function hookRoutes(parts: HookParts): RawRoute[] {
  return HOOK_CLIENTS.map((client) => hookRoute(client, parts));
}

/** What a client sends may be as long as what its tools print. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** Raw, because a bad body is answered like any other oddity: with no change. */
function hookRoute(client: HookClient, parts: HookParts): RawRoute {
  return {
    kind: 'raw',
    path: `/hooks/${client.name}`,
    handle: async ({ request, response, signal }) => {
      const body = await readBody(request, MOST_BODY_BYTES);
      const json = body.kind === 'read' ? parseJson(body.bytes) : undefined;
      const event = json?.kind === 'parsed' ? json.value : undefined;
      const answer = JSON.stringify(await answerEvent(client, event, { ...parts, signal }));
      response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
    },
  };
}

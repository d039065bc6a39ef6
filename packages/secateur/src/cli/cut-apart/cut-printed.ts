import type { LineSink } from '@secateur/base/runtime/event-log.ts';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import type { EventReader } from '../../servers/hooks/client.ts';
import { answerEvent } from '../../servers/hooks/hook.ts';
import { type HookConfig, withHookDeps } from '../hook-deps.ts';

export interface CutRequest {
  readonly command: string;
  readonly goal: string | undefined;
  readonly config: HookConfig;
  readonly origin: LaunchContext;
  readonly self: readonly string[];
}

/** Cuts the output of a command as a hook would cut it. Returns `undefined` if nothing is cut. */
export async function cutPrinted(
  { config, origin, self, ...call }: CutRequest,
  printed: readonly Buffer[],
  errors: LineSink,
): Promise<Buffer[] | undefined> {
  const texts = printed.map((bytes) => bytes.toString('utf8'));
  const { texts: cut } = await withHookDeps(config, { origin, self, errors }, (parts) =>
    answerEvent(eventOf({ ...call, texts }), { cwd: origin.cwd }, parts),
  );
  return Array.isArray(cut) ? cut.map((text: string) => Buffer.from(text)) : undefined;
}

function eventOf(printed: {
  command: string;
  goal: string | undefined;
  texts: readonly string[];
}): EventReader {
  const { command, goal: purpose, texts } = printed;
  const call = { tool: 'run', source: { kind: 'command', command }, purpose } as const;
  const replace = (cut: readonly string[]) => ({ texts: cut });
  return {
    name: 'run',
    read: async () => ({ kind: 'output', call, texts, isExplicit: purpose !== undefined, replace }),
    readEntry: () => [],
  };
}

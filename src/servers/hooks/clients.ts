import type { HookClient } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';

/** Adding a client is one file in `clients/` and one line here. */
export const HOOK_CLIENTS: readonly HookClient[] = [claudeCode, codex];

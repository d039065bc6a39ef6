import type { HookClient } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { copilotCli } from './clients/copilot-cli.ts';
import { opencode } from './clients/opencode.ts';

/** Adding a client is one file in `clients/` and one line here. */
export const HOOK_CLIENTS: readonly HookClient[] = [claudeCode, codex, copilotCli, opencode];

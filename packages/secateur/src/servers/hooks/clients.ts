import type { HookClient } from './client.ts';
import { claudeCode } from './clients/claude-code.ts';
import { codex } from './clients/codex.ts';
import { copilotCli } from './clients/copilot-cli.ts';
import { opencode } from './clients/opencode.ts';

/** All clients with hooks. For a new one, add a file in `clients/` and an entry here. */
export const HOOK_CLIENTS: readonly HookClient[] = [claudeCode, codex, copilotCli, opencode];

import type { Recovery } from '../../recovery/recovery.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLog } from '../../runtime/event-log.ts';
import type { Tool } from '../../wire/tool.ts';
import type { Lifeline } from '../../workspace/lifeline.ts';
import type { PipeSupply } from '../../workspace/output-pipes.ts';
import type { WorkspaceRoot } from '../../workspace/root.ts';
import { recordRecovered } from '../record-outcome.ts';
import { recoverTextTool } from '../recover-text.ts';
import type { AnswerParts } from './answer.ts';
import { bashTool } from './tools/bash.ts';
import { grepTool } from './tools/grep.ts';
import { readTool } from './tools/read.ts';

export interface FocusToolParts extends AnswerParts {
  root: WorkspaceRoot;
  /** The environment commands inherit, less what looks like a secret. */
  ownEnv: Readonly<Record<string, string | undefined>>;
  lifeline: Lifeline;
  pipes: PipeSupply;
  clock: Clock;
  log: EventLog;
}

/** In the order `tools/list` shows them. */
export function focusTools(parts: FocusToolParts, recovery: Recovery): Tool[] {
  const onRecovered = recordRecovered(parts.ledger, { system: 'focus', tool: 'recover_text' });
  return [readTool(parts), bashTool(parts), grepTool(parts), recoverTextTool({ recovery, onRecovered })];
}

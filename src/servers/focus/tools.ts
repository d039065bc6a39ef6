import type { Recovery } from '../../recovery/recovery.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { EventLog } from '../../runtime/event-log.ts';
import type { Lifeline } from '../../runtime/lifeline.ts';
import type { Tool } from '../../wire/tool.ts';
import type { PipeSupply } from '../../workspace/output-pipes.ts';
import { openProcessSlots, type ProcessSlots } from '../../workspace/process-slots.ts';
import type { WorkspaceRoot } from '../../workspace/root.ts';
import { recordRecovered } from '../record-outcome.ts';
import { recoverTextTool } from '../recover-text.ts';
import type { AnswerParts } from './answer.ts';
import { perProject } from './client-root.ts';
import { bashTool } from './tools/bash.ts';
import { grepTool } from './tools/grep.ts';
import { readTool } from './tools/read.ts';

export interface FocusToolParts extends AnswerParts {
  root: WorkspaceRoot;
  /** The environment commands inherit, less what looks like a secret. */
  ownEnv: Readonly<Record<string, string | undefined>>;
  lifeline: Lifeline;
  pipes: PipeSupply;
  /** How many programs of this kind may run at once. */
  slots: ProcessSlots;
  clock: Clock;
  log: EventLog;
}

/** In the order `tools/list` shows them. */
export function focusTools(parts: Omit<FocusToolParts, 'slots'>, recovery: Recovery): Tool[] {
  const commands = { ...parts, slots: openProcessSlots(COMMANDS) };
  const searches = { ...parts, slots: openProcessSlots(SEARCHES) };
  const onRecovered = recordRecovered(parts.ledger, { system: 'focus', tool: 'recover_text' });
  const { root: own } = parts;
  return [
    perProject(own, (root) => readTool({ ...commands, root })),
    perProject(own, (root) => bashTool({ ...commands, root })),
    perProject(own, (root) => grepTool({ ...searches, root })),
    recoverTextTool({ recovery, forAgents: true, onRecovered }),
  ];
}

/** Commands may take minutes, and one agent runs several. */
const COMMANDS = { running: 32, waiting: 96 };
/** A search uses every core there is: more at once would only keep everybody else waiting. */
const SEARCHES = { running: 4, waiting: 124 };

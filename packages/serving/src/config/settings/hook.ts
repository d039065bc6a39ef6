import { setting } from '../setting.ts';
import { commandList, count, globList, milliseconds, oneOf, onOff } from '../values.ts';

export const hookSettings = {
  enabled: setting(
    { env: 'SECATEUR_HOOK_ENABLED', value: onOff, fallback: true, project: true },
    'Whether hooks change anything. `false`: every event is answered with "no change".',
  ),
  timeoutMs: setting(
    { env: 'SECATEUR_HOOK_TIMEOUT_MS', flag: 'timeout-ms', value: milliseconds, fallback: 2000 },
    'Timeout for cutting one output, in milliseconds; after it the output is returned unchanged.',
  ),
  exclude: setting<readonly string[]>(
    { env: 'SECATEUR_HOOK_EXCLUDE', flag: 'exclude', value: globList, fallback: [], project: true },
    'Globs of files that are always returned unchanged, whatever tool or command names them: `*.sql, docs/**`.',
    { fallbackText: 'none' },
  ),
  excludeCommands: setting<readonly string[]>(
    { env: 'SECATEUR_HOOK_EXCLUDE_COMMANDS', value: commandList, fallback: [], project: true },
    'Beginnings of commands whose output is always returned unchanged; `*` matches any text: `terraform plan, npm run *:report`.',
    { fallbackText: 'none' },
  ),
  writeGuard: setting(
    { env: 'SECATEUR_HOOK_WRITE_GUARD', value: onOff, fallback: true },
    'Whether hooks refuse edits and commands that would write a marker into a file.',
  ),
  markersAllowedIn: setting<readonly string[]>(
    { env: 'SECATEUR_HOOK_MARKERS_ALLOWED_IN', value: globList, fallback: [], fallbackText: 'none' },
    'Globs of files into which markers may be written, because they describe them: `docs/**, test/**`.',
  ),
  shownMaxTokens: setting(
    { env: 'SECATEUR_HOOK_SHOWN_MAX_TOKENS', value: count, fallback: 40_000 },
    'Maximum tokens after an output for the output to count as still shown to the model, so that its lines need not be repeated. 0 switches the rule off.',
  ),
  shownMaxAgeMinutes: setting(
    { env: 'SECATEUR_HOOK_SHOWN_MAX_AGE_MINUTES', value: count, fallback: 60 },
    'Minutes for which an output counts as still shown to the model. 0 switches the rule off.',
  ),
  markers: setting(
    { env: 'SECATEUR_HOOK_MARKERS', value: oneOf(['compact', 'canonical']), fallback: 'compact' },
    'Format of markers: `compact` (`✂ 36-47` below one first line) or `canonical` (`⟦PRUNÉ: …⟧` for each gap).',
  ),
  recoverTool: setting(
    { env: 'SECATEUR_HOOK_RECOVER_TOOL', value: onOff, fallback: true },
    'Whether the client has the tool `recover_text`. `false`: cut outputs name only the command `secateur recover`. `connect` sets it in the hooks of a client without the tool.',
  ),
  log: setting(
    { env: 'SECATEUR_HOOK_LOG', value: oneOf(['file', 'stderr']), fallback: 'file' },
    'Place to which `secateur hook` logs why an output was returned unchanged after a failure: `hook.log` in the data directory, or standard error.',
  ),
};

import { setting } from '../setting.ts';
import { globList, milliseconds, oneOf, onOff } from '../values.ts';

export const hookSettings = {
  timeoutMs: setting({
    env: 'SECATEUR_HOOK_TIMEOUT_MS',
    toml: 'hook.timeout_ms',
    flag: 'timeout-ms',
    value: milliseconds,
    fallback: 2000,
    doc: 'How long cutting one output may take before it passes whole.',
  }),
  exclude: setting<readonly string[]>({
    env: 'SECATEUR_HOOK_EXCLUDE',
    toml: 'hook.exclude',
    flag: 'exclude',
    value: globList,
    fallback: [],
    fallbackText: 'none',
    doc: 'Globs of files that agents always read whole: `*.sql, docs/**`.',
  }),
  writeGuard: setting({
    env: 'SECATEUR_HOOK_WRITE_GUARD',
    toml: 'hook.write_guard',
    value: onOff,
    fallback: true,
    doc: 'Refuses edits and commands that hold a marker of lines left out.',
  }),
  markersAllowedIn: setting<readonly string[]>({
    env: 'SECATEUR_HOOK_MARKERS_ALLOWED_IN',
    toml: 'hook.markers_allowed_in',
    value: globList,
    fallback: [],
    fallbackText: 'none',
    doc: 'Globs of files into which markers may be written, because they speak of them: `docs/**, test/**`.',
  }),
  markers: setting({
    env: 'SECATEUR_HOOK_MARKERS',
    toml: 'hook.markers',
    value: oneOf(['compact', 'canonical']),
    fallback: 'compact',
    doc: 'How gaps are marked: `✂ 36-47` under one first line, or a whole `⟦PRUNÉ: …⟧` each.',
  }),
  log: setting({
    env: 'SECATEUR_HOOK_LOG',
    toml: 'hook.log',
    value: oneOf(['file', 'stderr']),
    fallback: 'file',
    doc: 'Where `secateur hook` says why an output passed whole: `hook.log` of the data directory, or standard error.',
  }),
};

import { existsSync } from 'node:fs';
import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { defineCommand } from '@secateur/serving/commands/command.ts';
import { FAILURE, SUCCESS } from '@secateur/serving/commands/exit-codes.ts';
import { printable, printableJson } from '@secateur/serving/commands/printable.ts';
import { progressBar } from '@secateur/serving/commands/progress-bar.ts';
import { usageError } from '@secateur/serving/commands/usage-error.ts';
import { cutPolicyOf, leastSizeOf } from '../cut-settings.ts';
import { findSessions, sessionFolders } from '../replay/find-sessions.ts';
import { replayAll } from '../replay/replay-all.ts';
import { describeReplay, reportOf } from '../replay/report.ts';

export const replay = defineCommand({
  usage: '[PATH] [--since 7d] [--json]',
  details:
    'Reads the session files of Claude Code and Codex (PATH: a file or a directory; default: their own directories) and computes what cuts ' +
    'would have saved, minus the lines that the agent would have recovered. Only outputs that the hooks of the client can change are counted. Nothing is sent or stored.',
  sections: ['pruner'],
  options: {
    since: { type: 'string', placeholder: 'WHEN', doc: '7d, 24h, a date (2026-11-01) or all (default 7d)' },
    'input-price': {
      type: 'string',
      placeholder: 'USD',
      doc: 'price per million input tokens (default 3); output costs 5, cache write 1.25, cache read 0.1 times as much',
    },
    'shell-prefix': {
      type: 'boolean',
      doc: 'assume the shell prefix of Claude Code, which also cuts the output of failing commands',
    },
    json: { type: 'boolean', doc: 'the sums as JSON' },
  },
  positionals: { min: 0, max: 1 },
  examples: [
    { line: 'secateur replay', does: 'the sessions of the last week' },
    { line: 'secateur replay ~/.codex/sessions --since 30d --json', does: 'the sums for a script' },
  ],
  run: async ({ config, options, positionals, terminal }) => {
    const since = options.since ?? '7d';
    const sinceMs = momentOf(since, Date.now());
    const price = priceOf(options['input-price'] ?? '3');
    const files = await findSessions(placesFor(positionals[0]), sinceMs);
    const assumed = { shellPrefix: options['shell-prefix'] };
    const bar = progressBar(terminal);
    // Every file is read twice.
    const total = Math.ceil(files.reduce((sum, { bytes }) => sum + 2 * bytes, 0) / MEGABYTE);
    const { sessions, failed } = await replayAll(files, {
      sinceMs,
      settings: { least: leastSizeOf(config.pruner), policy: cutPolicyOf(config.pruner) },
      assumed,
      progress: (bytes) =>
        bar.update({ done: Math.min(total, Math.round(bytes / MEGABYTE)), total, message: 'MB of sessions' }),
    });
    bar.end();
    const report = {
      ...reportOf(sessions, { ...assumed, perMillionInputTokens: price }),
      failedFiles: failed.length,
    };
    terminal.line(
      options.json
        ? printableJson(JSON.stringify(report))
        : describeReplay(report, wordsFor(since), terminal.paint),
    );
    for (const file of failed.slice(0, MAX_NAMED)) terminal.note(printable(`not replayed: ${file}`));
    if (failed.length > MAX_NAMED) terminal.note(`not replayed: ${failed.length - MAX_NAMED} more files`);
    return failed.length > 0 && failed.length === files.length ? FAILURE : SUCCESS;
  },
});

const MAX_NAMED = 5;

/** A client's own folder may be missing; what the user names may not. */
function placesFor(named: string | undefined): readonly string[] {
  if (named === undefined) return sessionFolders();
  if (existsSync(named)) return [named];
  throw new DomainError('cannot_read', `${named} is not there`, {
    hint: 'Name a session file or a folder of them.',
  });
}

const MEGABYTE = 1 << 20;
const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function momentOf(since: string, nowMs: number): number {
  if (since === 'all') return 0;
  const ago = /^(\d{1,5})([hdw])$/.exec(since);
  if (ago !== null) return nowMs - Number(ago[1]) * (UNITS[ago[2] ?? ''] ?? 0);
  const moment = Date.parse(since);
  if (Number.isNaN(moment)) throw usageError('--since: expected 7d, 24h, 2w, a date, or all');
  return moment;
}

function priceOf(text: string): number {
  const price = Number(text);
  if (text.trim() === '' || !(price >= 0))
    throw usageError('--input-price: expected dollars a million tokens');
  return price;
}

function wordsFor(since: string): string {
  if (since === 'all') return 'all times';
  return /^\d/.test(since) && !since.includes('-') ? `the last ${since}` : `since ${since}`;
}

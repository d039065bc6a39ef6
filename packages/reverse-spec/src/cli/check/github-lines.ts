import type { CheckReport } from '../../spec/check.ts';
import { locationOf } from './sarif.ts';

const COMMANDS = { HIGH: 'error', MEDIUM: 'warning', LOW: 'notice' } as const;

/** Workflow commands: GitHub shows each beside the line it speaks of. */
export function githubLines({ items, failures }: CheckReport): string[] {
  return [
    ...items.map((item) => {
      const { file, line } = locationOf(item.location);
      const place = `file=${property(file)},line=${line}`;
      return `::${COMMANDS[item.severity]} ${place},title=${property(`${item.changeType} ${item.symbolName}`)}::${data(item.description)}`;
    }),
    ...failures.map(({ specPath, reason }) => `::error file=${property(specPath)}::${data(reason)}`),
  ];
}

/** A line end would begin another command: texts of a source never do. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

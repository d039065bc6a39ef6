import type { CheckReport } from '../../spec/check.ts';

const LEVELS = { HIGH: 'error', MEDIUM: 'warning', LOW: 'note' } as const;

/** SARIF 2.1.0, as code scanning services take it: a rule a kind of change, paths from the top of the repository. */
export function sarifOf({ items, failures }: CheckReport) {
  const rules = [...new Set(items.map(ruleOf))].sort();
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'reverse-spec',
            rules: rules.map((id) => ({ id, shortDescription: { text: id.replace('/', ': ') } })),
          },
        },
        invocations: [
          {
            executionSuccessful: failures.length === 0,
            toolExecutionNotifications: failures.map(({ specPath, reason }) => ({
              level: 'error',
              message: { text: `${specPath}: ${reason}` },
            })),
          },
        ],
        results: items.map((item) => resultOf(item)),
      },
    ],
  };
}

type Item = CheckReport['items'][number];

function ruleOf({ category, changeType }: Item): string {
  return `${category}/${changeType}`;
}

function resultOf(item: Item) {
  const { file, line } = locationOf(item.location);
  return {
    ruleId: ruleOf(item),
    level: LEVELS[item.severity],
    message: { text: item.description },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
          region: { startLine: line },
        },
      },
    ],
    // Keeps the alert of a drift the same when its lines move.
    partialFingerprints: { symbol: `${item.changeType}:${file}:${item.symbolName}` },
  };
}

/** `src/a.ts:12`, taken apart. */
function locationOf(location: string): { file: string; line: number } {
  const cut = location.lastIndexOf(':');
  return { file: location.slice(0, cut), line: Math.max(1, Number(location.slice(cut + 1)) || 1) };
}

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

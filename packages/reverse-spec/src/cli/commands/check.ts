import { choiceOf, defineCommand, FAILURE, SUCCESS } from '@secateur/serving/commands/command.ts';
import { type Paint, printable } from '@secateur/serving/commands/terminal.ts';
import { type CheckReport, checkSpecs, fails } from '../../spec/check.ts';
import { driftLine, openSpecCall, type SpecMessages } from '../spec-call.ts';

const LEVELS = ['HIGH', 'MEDIUM', 'LOW', 'NONE'] as const;
const VISIBILITIES = ['public', 'all'] as const;

export const specCheck = defineCommand({
  usage: '[PATHS] [--fail-on LEVEL] [--visibility WHAT] [--json | --sarif | --github]',
  details:
    'Compares all specs with their sources as one project, and writes nothing. PATHS are specs, folders of specs, or sources that have specs. The file `.reverse-spec-ignore` at the top of the repository lists what is ignored: `ignore KIND` (annotations, attributes, version-values, parameter-names by default; values), `count KIND`, `path GLOB`, `symbol NAME`, `visibility all`.',
  sections: ['reverseSpec'],
  options: {
    'fail-on': {
      type: 'string',
      placeholder: 'LEVEL',
      doc: 'lowest severity that fails: HIGH, MEDIUM (default), LOW or NONE',
    },
    visibility: {
      type: 'string',
      placeholder: 'WHAT',
      doc: '`public`: exports that users of the package can reach; `all`: exports that other files can reach',
    },
    json: { type: 'boolean', doc: 'the report as JSON' },
    sarif: { type: 'boolean', doc: 'the report as SARIF 2.1.0' },
    github: { type: 'boolean', doc: 'annotations for GitHub Actions' },
  },
  positionals: { min: 0, max: Number.MAX_SAFE_INTEGER },
  examples: [
    { line: 'reverse-spec check', does: 'fails if the interface of a module differs from its spec' },
    { line: 'reverse-spec check --github --fail-on HIGH', does: 'annotates a pull request' },
    { line: 'reverse-spec check src/auth/login.ts', does: 'only the specs about this file' },
  ],
  exitCodes: {
    [FAILURE]: 'a difference of at least the severity `--fail-on`, or a spec that could not be compared',
  },
  run: async (call) => {
    const { options, positionals: paths, terminal } = call;
    const failOn = choiceOf('--fail-on', options['fail-on']?.toUpperCase(), LEVELS) ?? 'MEDIUM';
    const visibility = choiceOf('--visibility', options.visibility, VISIBILITIES);
    const { parts, messages, finish } = openSpecCall(call);
    const request = { paths, outputDir: parts.outputDir, ...(visibility && { visibility }) };
    const report = await finish(checkSpecs(request, parts));
    terminal.line(rendered(report, { ...options, texts: messages.texts }, terminal.paint));
    return fails(report, failOn) ? FAILURE : SUCCESS;
  },
});

interface Format {
  readonly json: boolean;
  readonly sarif: boolean;
  readonly github: boolean;
  readonly texts: SpecMessages['texts'];
}

function rendered(report: CheckReport, { json, sarif, github, texts }: Format, paint: Paint): string {
  if (json) return JSON.stringify(report);
  if (sarif) return JSON.stringify(sarifOf(report));
  const { specs, summary, filteredNoise, unreadable } = report;
  const totals = texts.checked({ specs, ...summary, filtered: filteredNoise, partly: unreadable.length });
  return [...(github ? githubLines(report) : itemLines(report, paint)), totals].join('\n');
}

function itemLines({ items, failures }: CheckReport, paint: Paint): string[] {
  return [
    ...items.map((item) => driftLine(item, paint)),
    ...failures.map(
      ({ specPath, reason }) => `${paint('red', 'ERROR ')} ${printable(`${specPath} ${reason}`)}`,
    ),
  ];
}

const SARIF_LEVELS = { HIGH: 'error', MEDIUM: 'warning', LOW: 'note' } as const;

/** Returns a SARIF 2.1.0 report with one rule per kind of change. Paths are relative to the repository. */
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
    level: SARIF_LEVELS[item.severity],
    message: { text: item.description },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file.split('/').map(encodeURIComponent).join('/') },
          region: { startLine: line },
        },
      },
    ],
    // GitHub matches alerts of different runs by this value, which does not depend on lines.
    partialFingerprints: { symbol: `${item.changeType}:${file}:${item.symbolName}` },
  };
}

/** Splits a location such as `src/a.ts:12`. */
function locationOf(location: string): { file: string; line: number } {
  const cut = location.lastIndexOf(':');
  return { file: location.slice(0, cut), line: Math.max(1, Number(location.slice(cut + 1)) || 1) };
}

const GITHUB_COMMANDS = { HIGH: 'error', MEDIUM: 'warning', LOW: 'notice' } as const;

/** Returns workflow commands. GitHub shows each message next to its line of code. */
export function githubLines({ items, failures }: CheckReport): string[] {
  return [
    ...items.map((item) => {
      const { file, line } = locationOf(item.location);
      const place = `file=${property(file)},line=${line}`;
      return `::${GITHUB_COMMANDS[item.severity]} ${place},title=${property(`${item.changeType} ${item.symbolName}`)}::${data(item.description)}`;
    }),
    ...failures.map(({ specPath, reason }) => `::error file=${property(specPath)}::${data(reason)}`),
  ];
}

/** Escapes text for a workflow command. A line break in a source text would otherwise begin another command. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

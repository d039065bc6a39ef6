import { defineCommand, FAILURE, SUCCESS, usageError } from '@secateur/serving/commands/command.ts';
import { type Paint, printable } from '@secateur/serving/commands/terminal.ts';
import { type CheckReport, checkSpecs, fails } from '../../spec/check.ts';
import { githubLines, sarifOf } from '../check/ci-formats.ts';
import type { SpecMessages } from '../messages.ts';
import { driftLine, openSpecCall } from '../parts.ts';

const LEVELS = ['HIGH', 'MEDIUM', 'LOW', 'NONE'] as const;
const VISIBILITIES = ['public', 'all'] as const;

export const specCheck = defineCommand({
  usage: '[PATHS] [--fail-on LEVEL] [--visibility WHAT] [--json | --sarif | --github]',
  details:
    'Compares all specs with their sources as one project, and writes nothing. PATHS are specs, folders of specs, or sources whose specs are meant. A file `.reverse-spec-ignore` at the top of the repository says what does not count: `ignore KIND` (annotations, attributes, version-values, parameter-names by default; values), `count KIND`, `path GLOB`, `symbol NAME`, `visibility all`.',
  sections: ['reverseSpec'],
  options: {
    'fail-on': { type: 'string', placeholder: 'LEVEL', doc: 'HIGH, MEDIUM (unless told), LOW or NONE' },
    visibility: {
      type: 'string',
      placeholder: 'WHAT',
      doc: '`public`: what users of the package can reach; `all`: what other files can',
    },
    json: { type: 'boolean', doc: 'the report as JSON' },
    sarif: { type: 'boolean', doc: 'the report as SARIF 2.1.0' },
    github: { type: 'boolean', doc: 'annotations for GitHub Actions' },
  },
  positionals: { min: 0, max: Number.MAX_SAFE_INTEGER },
  examples: [
    { line: 'reverse-spec check', does: 'fails when the interface of any module drifted from its spec' },
    { line: 'reverse-spec check --github --fail-on HIGH', does: 'annotates a pull request' },
    { line: 'reverse-spec check src/auth/login.ts', does: 'the specs that speak of this file' },
  ],
  exitCodes: { [FAILURE]: 'drift as grave as `--fail-on` says, or a spec that could not be compared' },
  run: async (call) => {
    const { options, positionals: paths, terminal } = call;
    const failOn = choice('--fail-on', options['fail-on']?.toUpperCase() ?? 'MEDIUM', LEVELS);
    const visibility =
      options.visibility === undefined ? undefined : choice('--visibility', options.visibility, VISIBILITIES);
    const { parts, messages, finish } = openSpecCall(call);
    const request = { paths, outputDir: parts.outputDir, ...(visibility && { visibility }) };
    const report = await finish(checkSpecs(request, parts));
    terminal.line(rendered(report, { ...options, texts: messages.texts }, terminal.paint));
    return fails(report, failOn) ? FAILURE : SUCCESS;
  },
});

function choice<Word extends string>(flag: string, value: string, words: readonly Word[]): Word {
  const word = words.find((each) => each === value);
  if (word === undefined) throw usageError(`${flag} takes ${words.join(', ')}, not ${printable(value)}`);
  return word;
}

interface Format {
  readonly json: boolean;
  readonly sarif: boolean;
  readonly github: boolean;
  readonly texts: SpecMessages['texts'];
}

function rendered(report: CheckReport, { json, sarif, github, texts }: Format, paint: Paint): string {
  if (json) return JSON.stringify(report);
  if (sarif) return JSON.stringify(sarifOf(report));
  return [...(github ? githubLines(report) : itemLines(report, paint)), totals(report, texts)].join('\n');
}

function itemLines({ items, failures }: CheckReport, paint: Paint): string[] {
  return [
    ...items.map((item) => driftLine(item, paint)),
    ...failures.map(
      ({ specPath, reason }) => `${paint('red', 'ERROR ')} ${printable(`${specPath} ${reason}`)}`,
    ),
  ];
}

function totals(
  { specs, summary, filteredNoise, unreadable }: CheckReport,
  texts: SpecMessages['texts'],
): string {
  const { high, medium, low } = summary;
  return texts.checked({ specs, high, medium, low, filtered: filteredNoise, partly: unreadable.length });
}

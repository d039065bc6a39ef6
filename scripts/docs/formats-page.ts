import { RULE_WORDS } from '../../packages/engine/src/explanation.ts';
import { type Allowance, DEFAULT_SIZES, POLICY_TABLE } from '../../packages/engine/src/policy/policy.ts';
import { REQUEST_KINDS, type RequestKind } from '../../packages/engine/src/policy/request-kind.ts';
import { type FormatName, RULES } from '../../packages/engine/src/reading/document.ts';
import { FORMATS } from '../../packages/engine/src/reading/formats.ts';

const FORMAT_WORDS: Readonly<Record<FormatName, string>> = {
  diff: 'Changes: `git diff`, patches, history with patches.',
  'test-run':
    'Test runs of pytest, jest, vitest, mocha, go test, cargo test, JUnit, RSpec, PHPUnit and others.',
  build: 'Builds, installers, downloads, linters and CI jobs.',
  log: 'Logs of services and systems, also as lines of JSON.',
  json: 'JSON, also one record per line.',
  markup: 'HTML, XML, SVG and snapshots of pages.',
  search: 'Results of `grep`, `rg` and `git grep`.',
  listing: 'Listings: `ls`, `find`, `tree`, `du`, `git status`, `git log --oneline` and names one per line.',
  table: 'CSV, TSV, tables of databases and columns by position (`ps`, `kubectl get`).',
  config: 'YAML, TOML, INI, lock files and other files of keys and values.',
  document: 'Documents with headings: Markdown, reStructuredText, AsciiDoc, manuals.',
  code: 'Source code.',
  plain: 'Everything else: paragraphs.',
};

const REQUEST_WORDS: Readonly<Record<RequestKind, string>> = {
  precise: 'lines by number, searches, listings, values, history, scripts that the agent wrote',
  run: 'tests, builds, installers, services',
  dump: 'a whole file',
  page: 'a fetched page, a manual, a help text',
  result: 'what an MCP tool or an HTTP call returned',
  diff: 'diffs, patches, history with patches',
  report: 'the report of a subagent',
  unknown: 'a program that is not in the tables',
};

/** `docs/formats-and-rules.md`, from the registry of formats, the rules and the policy of the engine. */
export function formatsPage(): string {
  return [
    INTRODUCTION,
    `## Formats\n\n${FORMATS.map(({ name, examples }) => formatPart(name, examples.is[0] ?? '')).join('\n\n')}`,
    `## Rules\n\n${table(
      ['rule', 'what it removes'],
      RULES.map((rule) => [code(rule), RULE_WORDS[rule]]),
    )}`,
    `## Which rules are allowed\n\n${POLICY}\n\n${table(['request', 'format', 'rules', 'above this size', 'rules above it'], policyRows())}`,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const INTRODUCTION = `# Formats and rules

<!-- Written by npm run docs from packages/engine. -->

Sécateur reads a text as one of the formats below, which says what its units are: functions, sections, rows, records,
passed tests. A rule may remove whole units; the kind of request and the format decide which rules are allowed. Markers
name what was removed, and \`secateur explain ID\` names the rule.`;

const POLICY = `For hooks and the gateway. With a question or a goal (focus tools, \`secateur prune --goal\`) every rule is allowed;
\`prune_text\` removes what its goal needs least, down to \`max_prune_ratio\`. Sizes are in characters; a request for everything
("all", "every", "how many") doubles ${DEFAULT_SIZES.maxUnchangedChars.toLocaleString('en')}. \`*\` is every format that has no row of its own.`;

const MAX_EXAMPLE_LINES = 8;

function formatPart(name: FormatName, example: string): string {
  const lines = example.trimEnd().split('\n');
  const shown = lines.length > MAX_EXAMPLE_LINES ? [...lines.slice(0, MAX_EXAMPLE_LINES), '…'] : lines;
  const said = `### ${name}\n\n${FORMAT_WORDS[name]}`;
  return example === '' ? said : `${said}\n\n\`\`\`\`text\n${shown.join('\n')}\n\`\`\`\``;
}

/** One row for formats that a request kind treats alike. */
function policyRows(): string[][] {
  return REQUEST_KINDS.flatMap((kind) => {
    const formats = new Map<Allowance, string[]>();
    for (const [format, allowance] of Object.entries<Allowance>(POLICY_TABLE[kind])) {
      const name = format === '*' ? '*' : format;
      formats.set(allowance, [...(formats.get(allowance) ?? []), name]);
    }
    return [...formats].map(([{ small, large, limit }, names], index) => {
      const hasLimit = large.join() !== small.join();
      return [
        index === 0 ? `${code(kind)}: ${REQUEST_WORDS[kind]}` : code(kind),
        names.join(', '),
        rulesText(small),
        hasLimit ? DEFAULT_SIZES[limit].toLocaleString('en') : '',
        hasLimit ? `also ${rulesText(large.filter((rule) => !small.includes(rule)))}` : '',
      ];
    });
  });
}

function rulesText(rules: readonly string[]): string {
  return rules.length === 0 ? 'none' : rules.join(', ');
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

function code(text: string): string {
  return `\`${text}\``;
}

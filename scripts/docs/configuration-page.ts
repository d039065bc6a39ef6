import { programs } from '../../packages/secateur/src/cli/programs.ts';
import { exitCodeMeanings } from '../../packages/serving/src/commands/command.ts';
import { fallbackText, type Setting, type SettingTable } from '../../packages/serving/src/config/setting.ts';
import { upstreamSettings } from '../../packages/serving/src/config/settings/gateway-upstreams.ts';
import { type SectionName, settings } from '../../packages/serving/src/config/settings.ts';
import type { LaunchContext } from '../../packages/serving/src/config/values.ts';

const TITLES: Readonly<Record<SectionName, string>> = {
  pruner: 'Pruner',
  focus: 'Focus tools',
  gateway: 'Gateway',
  hook: 'Hooks of agent clients',
  reverseSpec: 'Reverse-spec',
  recovery: 'Recovery stores and the data directory',
  wire: 'Every server',
  audit: 'Savings and audit: ledger, dashboard, metrics, prices',
  up: '`secateur up`, `status`, `stop`',
};

/** `docs/configuration.md`, from the same rows the parser reads. */
export function configurationPage(): string {
  const sections = Object.entries<SettingTable>(settings).map(
    ([name, rows]) => `## ${TITLES[name as SectionName]}\n\n${settingsTable(rows)}`,
  );
  return [INTRODUCTION, ...sections, upstreams(), exitCodes(), ''].join('\n\n').replace(/\n+$/, '\n');
}

const SERVERS = ['up', 'pruner', 'focus', 'gateway', 'gateway login', 'gateway logout', 'gateway list']
  .map((name) => `\`secateur ${name}\``)
  .join(', ');

const PROJECT_KEYS = Object.values(settings)
  .flatMap((rows) => Object.values<Setting<unknown>>(rows))
  .flatMap(({ project, toml: path = '' }) => (project ? [`\`${path}\``] : []));

const INTRODUCTION = `# Configuration

<!-- Written by npm run docs from packages/serving/src/config/settings.ts. -->

A setting comes from the first of these that has it: a flag, an environment variable, \`config.toml\`, the default.
An empty variable counts as unset.
\`SECATEUR=off\` leaves every output unchanged, whatever else is set; \`secateur off\` stores the same for one project or, with \`--everywhere\`, for all in \`off.json\` beside your own file, and \`secateur status\` says which switch applies here.
A bad value ends the program with exit code 2 and a message that names the variable, flag or key and the expected value.
Secrets are read from the environment only; a secret in \`config.toml\` is refused.
Flags are those of a server's own command; \`secateur up\` puts the server's name before them (\`--pruner-port\`).

## Which file is read

The files of a cloned repository may come from a stranger, so programs that agents start do not read all settings from them.

| command | reads |
|---|---|
| ${SERVERS} | \`--config\`, else \`config.toml\` of the working directory if it has a table of Sécateur, else your own file; prints which one |
| every other command, \`jeeves-mcp-pruner\`, \`reverse-spec\`, the runner | \`--config\`, else your own file; and \`.secateur.toml\` of the project |

Your own file is \`$XDG_CONFIG_HOME/secateur/config.toml\`, by default \`~/.config/secateur/config.toml\`. \`secateur connect\` writes to it.

\`.secateur.toml\` is the nearest one from the working directory up to the directory with \`.git\`. It may set ${PROJECT_KEYS.join(', ')}.
It can exclude more files and switch off more than your own file does, never less; its minimum sizes win over those of your own file. Every other key in it is ignored and reported by \`secateur doctor\` and \`secateur status\`.
Files must be regular files of up to 1 MB; \`.secateur.toml\` must not be a link. \`config.toml\` may name programs that the gateway starts: start servers in directories you trust, or name the file with \`--config\`.`;

function settingsTable(rows: SettingTable): string {
  const lines = Object.values(rows).map((row) =>
    tableLine([variable(row), toml(row), flag(row), fallback(row), meaning(row)]),
  );
  return [
    tableLine(['variable', 'config.toml', 'flag', 'default', 'meaning']),
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function variable({ env, envAliases = [] }: Setting<unknown>): string {
  if (env === undefined) return '';
  return [code(env), ...envAliases.map((alias) => `(alias ${code(alias)})`)].join(' ');
}

function toml({ toml: path, tomlAliases = [], secret }: Setting<unknown>): string {
  if (path === undefined || secret) return secret ? 'refused' : '';
  return [path, ...tomlAliases].map(code).join(', ');
}

function flag({ flag: name, value }: Setting<unknown>): string {
  if (name === undefined) return '';
  return code(value.placeholder === undefined ? `--${name}` : `--${name} ${value.placeholder}`);
}

/** Defaults that depend on the machine have a text of their own, so any machine will do here. */
const ANYWHERE: LaunchContext = { env: {}, cwd: '.', platform: 'linux', homeDir: '~' };

function fallback(row: Setting<unknown>): string {
  const text = fallbackText(row, ANYWHERE);
  return row.fallbackText === undefined ? code(text) : text;
}

function meaning({ doc, value }: Setting<unknown>): string {
  return `${doc} Expects ${value.expected}.`;
}

function upstreams(): string {
  const lines = Object.values<Setting<unknown>>(upstreamSettings).map((row) =>
    tableLine([code(row.toml ?? ''), row.value.expected, row.doc]),
  );
  return `## One upstream of the gateway: \`[mcp_gateway.servers.<name>]\`

${[tableLine(['key', 'expects', 'meaning']), '|---|---|---|', ...lines].join('\n')}

\`\`\`toml
[mcp_gateway.servers.files]
command = ["npx", "-y", "@modelcontextprotocol/server-filesystem", "."]
max_chars = 8000

[mcp_gateway.servers.files.tools.read_text_file]
max_chars = 20000

[mcp_gateway.servers.search]
url = "http://127.0.0.1:9000/mcp"
\`\`\``;
}

function exitCodes(): string {
  const lines = Object.entries(exitCodeMeanings).map(([number, text]) => tableLine([number, text]));
  const names = Object.values(programs).map(({ name }) => code(name));
  return `## Exit codes of ${names.join(', ')}\n\n${[tableLine(['code', 'meaning']), '|---|---|', ...lines].join('\n')}`;
}

function tableLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}

import { join } from 'node:path';
import type { LaunchContext } from '@secateur/serving/config/values.ts';
import { clientFolder } from './hooks-file.ts';
import { codexTables, jsonMembers, type ServerFormat, type ServerPlace } from './server-format.ts';

/** An MCP client that stores its list of servers in a file. */
export interface McpClient {
  readonly name: string;
  readonly title: string;
  /** Returns the files that may list the client's servers. The nearest to the working directory is first. */
  files(origin: LaunchContext): readonly ClientFile[];
  readonly format: ServerFormat;
  /** Returns the entry for a Streamable HTTP server. */
  httpEntry(url: string): Readonly<Record<string, unknown>>;
  /** Returns the entry for a stdio server. Default: an object with `command` and `args`. */
  commandEntry?(words: readonly string[]): Readonly<Record<string, unknown>>;
  /** Returns the file with the servers for all projects. `connect` adds the tools of Sécateur to it. */
  userFile?(origin: LaunchContext): ClientFile;
}

export interface ClientFile extends ServerPlace {
  /** Directory in which the client starts the servers of a project's own file. */
  readonly cwd?: string;
}

/** Name of Sécateur's server in the list of a client. */
export const OWN_NAME = 'secateur';

const mcpServers = jsonMembers('mcpServers');

const codexConfig = inFolder('codex', 'config.toml');
const copilotConfig = inFolder('copilot-cli', 'mcp-config.json');
const opencodeConfig = inFolder('opencode', 'opencode.json');

function inFolder(client: string, file: string) {
  return (origin: LaunchContext): ClientFile => ({ path: join(clientFolder(client, origin), file) });
}

const typedHttp = (url: string) => ({ type: 'http', url });
const plainUrl = (url: string) => ({ url });

/** All clients. To add one, add an entry here. */
export const CLIENTS: readonly McpClient[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    files: ({ cwd, homeDir }) => [
      { path: join(cwd, '.mcp.json'), cwd },
      { path: join(homeDir, '.claude.json'), at: ['projects', cwd, 'mcpServers'], cwd },
      { path: join(homeDir, '.claude.json') },
    ],
    format: mcpServers,
    userFile: ({ env, homeDir }) => ({ path: join(env.CLAUDE_CONFIG_DIR ?? homeDir, '.claude.json') }),
    httpEntry: typedHttp,
  },
  {
    name: 'codex',
    title: 'Codex',
    files: (origin) => [codexConfig(origin)],
    format: codexTables,
    userFile: codexConfig,
    httpEntry: plainUrl,
  },
  {
    name: 'cline',
    title: 'Cline',
    files: (origin) => [
      {
        path: join(
          editorData(origin),
          'Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json',
        ),
      },
    ],
    format: mcpServers,
    httpEntry: (url) => ({ type: 'streamableHttp', url }),
  },
  {
    name: 'continue',
    title: 'Continue',
    files: ({ cwd, homeDir }) => [
      { path: join(cwd, '.continue/mcpServers/mcp.json'), cwd },
      { path: join(homeDir, '.continue/mcpServers/mcp.json') },
    ],
    format: mcpServers,
    httpEntry: (url) => ({ type: 'streamable-http', url }),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    files: ({ cwd, homeDir }) => [
      { path: join(cwd, '.cursor/mcp.json'), cwd },
      { path: join(homeDir, '.cursor/mcp.json') },
    ],
    format: mcpServers,
    httpEntry: plainUrl,
  },
  {
    name: 'vscode',
    title: 'VS Code',
    files: ({ cwd }) => [{ path: join(cwd, '.vscode/mcp.json'), cwd }],
    format: jsonMembers('servers'),
    httpEntry: typedHttp,
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    files: ({ homeDir }) => [{ path: join(homeDir, '.codeium/windsurf/mcp_config.json') }],
    format: mcpServers,
    httpEntry: (url) => ({ serverUrl: url }),
  },
  {
    name: 'gemini-cli',
    title: 'Gemini CLI',
    files: ({ homeDir }) => [{ path: join(homeDir, '.gemini/settings.json') }],
    format: mcpServers,
    httpEntry: (url) => ({ httpUrl: url }),
  },
  {
    name: 'copilot-cli',
    title: 'GitHub Copilot CLI',
    files: (origin) => [copilotConfig(origin)],
    format: mcpServers,
    userFile: copilotConfig,
    commandEntry: ([command, ...args]) => ({ type: 'local', command, args, tools: ['*'] }),
    httpEntry: (url) => ({ type: 'http', url, tools: ['*'] }),
  },
  {
    name: 'opencode',
    title: 'opencode',
    files: (origin) => [{ path: join(origin.cwd, 'opencode.json'), cwd: origin.cwd }, opencodeConfig(origin)],
    format: jsonMembers('mcp'),
    userFile: opencodeConfig,
    commandEntry: (words) => ({ type: 'local', command: words, enabled: true }),
    httpEntry: (url) => ({ type: 'remote', url }),
  },
  { name: 'generic', title: 'the client', files: () => [], format: mcpServers, httpEntry: typedHttp },
];

function editorData({ platform, env, homeDir }: LaunchContext): string {
  if (platform === 'darwin') return join(homeDir, 'Library/Application Support');
  if (platform === 'win32') return env.APPDATA ?? join(homeDir, 'AppData/Roaming');
  return env.XDG_CONFIG_HOME ?? join(homeDir, '.config');
}

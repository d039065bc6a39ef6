/** An MCP server whose results are cut and that offers recover_text. Run: node mcp-server.js, over stdio */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createSecateur } from 'secateur';
import { prunedServerTransport } from 'secateur/mcp';
import { z } from 'zod';
import { shell } from './shell.js';

const secateur = await createSecateur();
const server = new McpServer({ name: 'shell', version: '1.0.0' });
server.registerTool(
  'shell',
  { description: 'Runs a shell command.', inputSchema: { command: z.string() } },
  async ({ command }) => ({ content: [{ type: 'text', text: await shell(command) }] }),
);
await server.connect(prunedServerTransport(secateur, new StdioServerTransport()));

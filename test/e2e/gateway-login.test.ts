import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { spawnSecateur, temporaryFolder } from '../support/secateur-cli.ts';

it.each([[[]], [['--device']]])(
  '[T22] secateur gateway login %j exits on SIGINT if the server never responds',
  async (flags) => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    onTestFinished(() => void silent.close());
    const dataDir = temporaryFolder();
    const { port } = silent.address() as AddressInfo;
    writeFileSync(
      join(dataDir, 'config.toml'),
      `[mcp_gateway.servers.tickets]\nurl = "http://127.0.0.1:${port}/mcp"\nauth = "oauth"\n`,
    );
    const child = spawnSecateur(['gateway', 'login', 'tickets', ...flags], { dataDir });
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += chunk));
    await once(silent, 'connection');
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect([code, stderr]).toEqual([130, expect.stringContaining('secateur: interrupted')]);
  },
);

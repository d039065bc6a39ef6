import { type ServerKind, startServer } from './servers.ts';

const port = await startServer(process.argv[2] as ServerKind);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.({ cpuMs: (user + system) / 1000 });
});
process.on('disconnect', () => process.exit(0));
process.send?.({ port });

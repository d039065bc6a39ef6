#!/usr/bin/env node

const [command, ...rest] = process.argv.slice(2);
const isForHelp = rest.some((word) => word === '--help' || word === '-h');
if (command === 'hook' && !isForHelp) await import('./hook.ts');
else {
  const [{ start }, { programs }] = await Promise.all([import('../main.ts'), import('../cli/programs.ts')]);
  await start(programs.secateur);
}

export {};

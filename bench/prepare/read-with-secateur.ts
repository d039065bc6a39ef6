/** Reads the tree once with our own `prepare`, in the compiled code, and prints one line of figures. */
const [, , tree = '', cacheDir = ''] = process.argv;
const start = performance.now();
const cpuAtStart = process.cpuUsage();
const dist = (path: string): Promise<Record<string, never>> =>
  import(new URL(`../../dist/${path}`, import.meta.url).href);
const { prepare } = (await dist('spec/prepare.js')) as unknown as typeof import('../../src/spec/prepare.ts');
const { sourceWorkerUrl } = (await dist(
  'spec/source-worker-url.js',
)) as unknown as typeof import('../../src/spec/source-worker-url.ts');
const { systemClock } = (await dist(
  'runtime/clock.js',
)) as unknown as typeof import('../../src/runtime/clock.ts');
const { skeletons } = await prepare(
  { targetPath: tree, deep: false },
  {
    clock: systemClock,
    cwd: tree,
    version: 'bench',
    maxFileBytes: 1_048_576,
    tokenBudget: 100_000,
    workerUrl: sourceWorkerUrl,
    ...(cacheDir !== '' && { cacheDir }),
  },
);
const exports = skeletons.reduce((sum, each) => sum + each.exports.length, 0);
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(cpuAtStart);
const cpuMs = (user + system) / 1000;
console.log(JSON.stringify({ ms, cpuMs, exports, peakMb: process.resourceUsage().maxRSS / 1024 }));

/** Package data, configuration, databases, data files, processes and system. */
import type { Situation } from '../situation.ts';
import { dice, padded, situation, times } from './draft.ts';

const PACKAGES =
  'amber basin cobalt delta ember fjord gravel hazel indigo juniper kelp larch moss nickel onyx pine quartz reed slate tundra'.split(
    ' ',
  );

/** A lock file of more than 16,000 characters. */
const lockFile = (() => {
  const { below, hex } = dice('lock');
  const packages = Object.fromEntries(
    PACKAGES.flatMap((name, at) => {
      const uses =
        name === 'juniper'
          ? { 'safe-parse': '^2.1.0' }
          : { [PACKAGES[(at + 3) % 20] as string]: `^${1 + (at % 4)}.0.0` };
      const entry = (suffix: string) => [
        `node_modules/@grove/${name}${suffix}`,
        {
          version: `${1 + below(5)}.${below(20)}.${below(9)}`,
          resolved: `https://registry.example/@grove/${name}${suffix}/-/${name}${suffix}.tgz`,
          integrity: `sha512-${hex(86)}==`,
          license: 'MIT',
          dependencies: uses,
          engines: { node: '>=18' },
        },
      ];
      return [entry(''), entry('-core')];
    }),
  );
  const named = {
    'node_modules/safe-parse': {
      version: '2.1.7',
      resolved: 'https://registry.example/safe-parse.tgz',
      integrity: `sha512-${hex(86)}==`,
      license: 'ISC',
    },
  };
  return JSON.stringify(
    { name: 'shop', lockfileVersion: 3, packages: { ...packages, ...named } },
    undefined,
    2,
  );
})();

const installed = (() => {
  const { below } = dice('pip');
  const rows = PACKAGES.flatMap((name) =>
    ['', '-client', '-types'].map(
      (suffix) => `${`${name}${suffix}`.padEnd(22)} ${below(4)}.${below(30)}.${below(9)}`,
    ),
  );
  rows.splice(33, 0, `${'pydantic'.padEnd(22)} 1.10.24`);
  return [`${'Package'.padEnd(22)} Version`, `${'-'.repeat(22)} -------`, ...rows].join('\n');
})();

const SERVICES = 'gateway orders payments stock mailer search reports importer exporter scheduler'.split(' ');

const compose = [
  'services:',
  ...SERVICES.flatMap((name, at) => [
    `  ${name}:`,
    `    image: registry.example/shop/${name}:4.${at}`,
    ...(name === 'importer' ? [] : ['    restart: unless-stopped']),
    '    environment:',
    `      ${name.toUpperCase()}_URL: http://${name}:80${padded(at)}`,
    `      LOG_LEVEL: ${name === 'payments' ? 'debug' : 'info'}`,
    '    depends_on: [postgres]',
  ]),
  '  postgres:',
  '    image: postgres:16',
  '    restart: unless-stopped',
].join('\n');

const values = [
  '# Values of the chart; every one can be set with --set.',
  ...SERVICES.flatMap((name, at) => [
    `${name}:`,
    `  replicas: ${1 + (at % 3)}`,
    '  resources:',
    `    requests: { cpu: ${100 + at * 50}m, memory: ${128 + at * 64}Mi }`,
    `    limits: { cpu: 1, memory: ${name === 'reports' ? '64Mi' : `${256 + at * 64}Mi`} }`,
    '  probes:',
    `    liveness: /healthz/${name}`,
    `    timeoutSeconds: ${name === 'search' ? 30 : 3}`,
  ]),
].join('\n');

const ORDER_HEADER = ' id   | customer | status   | total_cents | placed_at           | shipped_at';

function orderRows(count: number): string[] {
  const { below, pick } = dice('orders');
  return times(count, (at) => {
    const status = at === 171 ? 'shipped' : pick(['paid', 'shipped', 'refunded']);
    const total = at === 233 ? 97_500_000 : 900 + below(40_000);
    const day = `2026-10-${padded(1 + Math.floor((at * 27) / count))}`;
    const shipped = status === 'shipped' && at !== 171 ? `${day} 18:${padded(below(60))}:00` : '';
    return ` ${4000 + at} | ${String(below(900)).padStart(8)} | ${status.padEnd(8)} | ${String(total).padStart(11)} | ${day} 09:${padded(below(60))}:00 | ${shipped}`;
  });
}

const orders = [
  ORDER_HEADER,
  '------+----------+----------+-------------+---------------------+--------------------',
  ...orderRows(320),
  '(320 rows)',
].join('\n');

const stock = (() => {
  const { below, phrase } = dice('stock');
  const rows = times(
    60,
    (at) => `${padded(at + 1, 3)}|SKU-${1200 + at}|${phrase(2)}|${at === 41 ? -12 : below(500)}`,
  );
  return ['id|sku|name|stock', ...rows].join('\n');
})();

const sensors = (() => {
  const { below } = dice('sensors');
  const rows = times(
    700,
    (at) =>
      `2026-10-${padded(1 + Math.floor(at / 24))}T${padded(at % 24)}:00:00Z,hall-${1 + (at % 6)},${at === 512 ? 71.5 : (18 + below(60) / 10).toFixed(1)},${40 + below(20)}`,
  );
  return ['time,sensor,celsius,humidity', ...rows].join('\n');
})();

const processes = (() => {
  const { below, pick } = dice('processes');
  const rows = times(70, (at) => {
    const busy = at === 44;
    const command = busy
      ? '/usr/bin/node dist/export-worker.js --queue nightly'
      : pick([
          '/usr/sbin/nginx -g daemon off;',
          'postgres: shop shop 10.0.0.4 idle',
          '/usr/bin/node dist/api.js',
          '[kworker/u8:2-events]',
          '/lib/systemd/systemd-journald',
        ]);
    return `app      ${String(800 + at * 7).padStart(7)} ${(busy ? 98.7 : below(30) / 10).toFixed(1).padStart(4)} ${(below(40) / 10).toFixed(1).padStart(4)} ${String(9000 + below(90_000)).padStart(7)} ${pick(['S', 'S', 'I', 'Ss'])}    ${padded(below(24))}:${padded(below(60))} ${command}`;
  });
  return ['USER         PID %CPU %MEM     RSS STAT START COMMAND', ...rows].join('\n');
})();

const mounts = [
  'Filesystem                Size  Used Avail Use% Mounted on',
  ...times(
    24,
    (at) =>
      `/dev/mapper/data-vol${padded(at)}    200G  ${40 + at * 3}G  ${160 - at * 3}G  ${20 + at}% /srv/volume${padded(at)}`,
  ),
  '/dev/nvme0n1p2             50G   50G    0G 100% /var/lib/docker',
  ...times(12, (at) => `tmpfs                     1.6G  ${at}M  1.6G   1% /run/user/${1000 + at}`),
].join('\n');

const PACKAGE_DATA: readonly Situation[] = [
  situation({
    id: 'lock-safe-parse',
    area: 'package data',
    task: 'Which version of safe-parse is locked, and which package asks for it?',
    said: 'Reading the lock file.',
    tool: 'Read',
    path: '/home/dev/shop/package-lock.json',
    output: lockFile,
    needed: [
      '"node_modules/safe-parse"',
      '"version": "2.1.7"',
      '"node_modules/@grove/juniper"',
      '"safe-parse": "^2.1.0"',
    ],
    why: 'The entry with its version, and the dependency with the package it belongs to.',
  }),
  situation({
    id: 'pip-pydantic',
    area: 'package data',
    task: '我们装的 pydantic 是 1 还是 2？',
    said: '查看已安装的包。',
    tool: 'Bash',
    command: 'pip list',
    output: installed,
    needed: ['pydantic'],
    why: 'One row of the list.',
  }),
];

const CONFIGURATION: readonly Situation[] = [
  situation({
    id: 'compose-no-restart',
    area: 'config files',
    task: 'After a reboot a container stays down. Which services have no restart policy?',
    said: 'I compare the services.',
    tool: 'Read',
    path: '/home/dev/shop/compose.yaml',
    output: compose,
    needed: [...SERVICES.map((name) => `  ${name}:`), '    restart: unless-stopped', '  postgres:'],
    completeness: true,
    why: 'What has no restart row is seen by comparing all services.',
  }),
  situation({
    id: 'values-memory',
    area: 'config files',
    task: 'Le service reports est tué faute de mémoire. Quelle est sa limite ?',
    said: 'Je lis les valeurs du chart.',
    tool: 'Bash',
    command: 'cat chart/values.yaml',
    output: values,
    needed: ['reports:', 'memory: 64Mi }'],
    why: 'The limit of one service.',
  }),
];

const TABLES: readonly Situation[] = [
  situation({
    id: 'orders-outlier',
    area: 'databases',
    task: 'One order has an absurd total and spoils the monthly report. Which one?',
    said: 'Let me look at the orders.',
    tool: 'Bash',
    command: 'psql shop -c "select * from orders order by id"',
    output: orders,
    needed: [ORDER_HEADER, '97500000'],
    why: 'The header, and the largest total.',
  }),
  situation({
    id: 'stock-negative',
    area: 'databases',
    task: 'Quel produit a un stock impossible ?',
    said: 'Je regarde les stocks.',
    tool: 'Bash',
    command: 'sqlite3 -header shop.db "select id,sku,name,stock from products"',
    output: stock,
    needed: ['id|sku|name|stock', '|-12'],
    why: 'The row with negative stock.',
  }),
  situation({
    id: 'sensor-hot',
    area: 'data files',
    task: 'When was it hottest, and in which hall?',
    said: 'Reading the measurements.',
    tool: 'Read',
    path: '/home/dev/lab/october.csv',
    output: sensors,
    needed: ['time,sensor,celsius,humidity', ',71.5,'],
    why: 'The header and the extreme of one column.',
  }),
];

const SYSTEM: readonly Situation[] = [
  situation({
    id: 'process-busy',
    area: 'process and system',
    task: 'The fan runs all the time. Which process takes the CPU, with which PID?',
    said: 'Listing the processes.',
    tool: 'Bash',
    command: 'ps -eo user,pid,pcpu,pmem,rss,stat,start,args',
    output: processes,
    needed: ['USER         PID', ' 98.7 '],
    why: 'The header, and the row with the highest share.',
  }),
  situation({
    id: 'disk-full',
    area: 'process and system',
    task: '构建失败：设备上没有空间。哪个文件系统满了？',
    said: '检查文件系统。',
    tool: 'Bash',
    command: 'df -h',
    output: mounts,
    needed: ['Filesystem  ', '100% /var/lib/docker'],
    why: 'The row with 100 %.',
  }),
];

export const DATA: readonly Situation[] = [...PACKAGE_DATA, ...CONFIGURATION, ...TABLES, ...SYSTEM];

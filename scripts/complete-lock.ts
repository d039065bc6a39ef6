import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface LockedPackage {
  version?: string;
  optional?: boolean;
  dev?: boolean;
  os?: readonly string[];
  cpu?: readonly string[];
  libc?: readonly string[];
  optionalDependencies?: Readonly<Record<string, string>>;
}

interface LockFile {
  packages: Record<string, LockedPackage>;
}

/**
 * npm leaves optional packages of other platforms out of a lock file where the registry did not offer them, and
 * `npm ci` then refuses the file on every platform. Their version is the exact one their owner asks for, their
 * platform is in their name.
 */
export function missingPlatformPackages({ packages }: LockFile): Map<string, LockedPackage> {
  const missing = new Map<string, LockedPackage>();
  for (const [owner, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const place = `node_modules/${name}`;
      if (packages[place] !== undefined || packages[`${owner}/${place}`] !== undefined) continue;
      missing.set(place, { version, ...(dev && { dev }), optional: true, ...platformOf(name) });
    }
  }
  return missing;
}

const SYSTEMS: Readonly<Record<string, string>> = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  openharmony: 'openharmony',
  wasm32: 'wasm32',
  win32: 'win32',
  windows: 'win32',
};
const PROCESSORS = ['arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'x64'];
const C_LIBRARIES: Readonly<Record<string, string>> = {
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
};

function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const os = words.map((word) => SYSTEMS[word]).find((each) => each !== undefined);
  const cpu = words.find((word) => PROCESSORS.includes(word));
  const libc =
    os === 'linux' ? words.map((word) => C_LIBRARIES[word]).find((each) => each !== undefined) : undefined;
  if (os === 'wasm32') return { cpu: ['wasm32'] };
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && { libc: [libc] }) };
}

function completeLock(path: string): number {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as LockFile;
  const missing = missingPlatformPackages(lock);
  const packages = Object.entries({ ...lock.packages, ...Object.fromEntries(missing) });
  lock.packages = Object.fromEntries(packages.sort(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  return missing.size;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  for (const folder of ['.', 'test/outside']) {
    const added = completeLock(join(root, folder, 'package-lock.json'));
    console.log(`${folder}/package-lock.json: ${added} platform packages added`);
  }
}

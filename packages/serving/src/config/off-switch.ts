import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { attempt } from '@secateur/base/runtime/domain-error.ts';
import { makeFolder, replaceFile, withFileLock } from '@secateur/base/runtime/writing-files.ts';
import { isFields, parsedFields } from '@secateur/base/text/json.ts';
import { configProblem, foldersOfProject, readConfigText, userConfigPath } from './config-file.ts';
import { type LaunchContext, onOff } from './values.ts';

/**
 * Turning Sécateur off (A17): by `SECATEUR=off` in the environment, or by `secateur off`, which is stored per
 * project in `off.json` of the user's settings folder. While it is off, hooks, `secateur run`, the focus
 * tools and the gateway return every output unchanged.
 */
type Home = Pick<LaunchContext, 'env' | 'homeDir'>;

/** Returns what turns Sécateur off in a folder, for a message; `undefined` if Sécateur is on. */
export function switchedOff(home: Home, folder?: string): string | undefined {
  if (isOffValue(home.env.SECATEUR)) return `SECATEUR=${home.env.SECATEUR} in the environment`;
  const path = offFilePath(home);
  const stored = path === undefined ? NOTHING_OFF : readOffFile(path);
  if (stored === undefined) return `${path} cannot be read; \`secateur on --everywhere\` replaces it`;
  if (stored.everywhere) return `\`secateur off --everywhere\`, in ${path}`;
  const project = folder === undefined ? undefined : projectsWith(folder, stored)[0];
  return project === undefined ? undefined : `\`secateur off\` for ${project}, in ${path}`;
}

function isOffValue(value = ''): boolean {
  const reading = onOff.read(value, { env: {}, cwd: '/', platform: 'linux', homeDir: '/' });
  return reading.kind === 'read' && !reading.value;
}

/** Turns Sécateur off or on, for the project of the working directory or everywhere. Returns the project. */
export async function storeSwitch(
  origin: LaunchContext,
  { isOn, everywhere }: { readonly isOn: boolean; readonly everywhere: boolean },
): Promise<string> {
  const path = offFilePath(origin);
  if (path === undefined) throw configProblem('the home folder is unknown; set HOME to an absolute path');
  const project = realPath(foldersOfProject(origin.cwd).at(-1) ?? origin.cwd);
  makeFolder(dirname(path));
  await withFileLock(`${path}.lock`, async () => {
    const stored = readOffFile(path) ?? NOTHING_OFF;
    const next = isOn ? switchedOn(stored, project, everywhere) : switchedOffIn(stored, project, everywhere);
    await replaceFile(path, `${JSON.stringify(next, null, 2)}\n`);
  });
  return project;
}

interface OffFile {
  readonly everywhere: boolean;
  readonly projects: readonly string[];
}

const NOTHING_OFF: OffFile = { everywhere: false, projects: [] };

function switchedOffIn(stored: OffFile, project: string, everywhere: boolean): OffFile {
  if (everywhere) return { ...stored, everywhere: true };
  return { ...stored, projects: [...new Set([...stored.projects, project])].sort() };
}

function switchedOn(stored: OffFile, project: string, everywhere: boolean): OffFile {
  if (everywhere) return NOTHING_OFF;
  const off = new Set(projectsWith(project, stored));
  return { ...stored, projects: stored.projects.filter((each) => !off.has(each)) };
}

/** Returns the stored projects that contain a folder or are the folder. */
function projectsWith(folder: string, { projects }: OffFile): string[] {
  if (projects.length === 0) return [];
  const real = realPath(folder);
  return projects.filter((project) => {
    const way = relative(project, real);
    return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  });
}

function realPath(path: string): string {
  return attempt(() => realpathSync(path)) ?? path;
}

function offFilePath(home: Home): string | undefined {
  const settings = userConfigPath(home);
  return settings === undefined ? undefined : join(dirname(settings), 'off.json');
}

/** Reads the stored switches. Empty without a file; `undefined` if the file was not written by Sécateur. */
function readOffFile(path: string): OffFile | undefined {
  const text = readConfigText(path);
  if (typeof text !== 'string') return text.code === 'missing' ? NOTHING_OFF : undefined;
  const value = parsedFields(text);
  if (!isFields(value) || !Array.isArray(value.projects)) return undefined;
  const projects = value.projects.filter((each): each is string => typeof each === 'string');
  return { everywhere: value.everywhere === true, projects };
}

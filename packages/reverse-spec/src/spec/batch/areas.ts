import { grouped } from '@secateur/base/runtime/grouped.ts';
import type { SpecModule } from './modules.ts';

/** A folder of the project with the modules in it and below it that no smaller area has. */
export interface Area {
  label: string;
  modules: readonly SpecModule[];
}

const MAX_AREAS = 50;

/** An area of fewer modules is not divided. */
const MIN_DIVIDED = 6;

/** Divides the modules of a large project into at most `MAX_AREAS` folders, the largest first into its sub-folders. */
export function areasOf(modules: readonly SpecModule[]): Area[] {
  let areas: Area[] = [{ label: '.', modules }];
  const whole = new Set<Area>();
  while (areas.length < MAX_AREAS) {
    const largest = areas
      .filter((area) => !whole.has(area) && area.modules.length >= MIN_DIVIDED)
      .sort((one, other) => other.modules.length - one.modules.length)[0];
    if (largest === undefined) break;
    const parts = divided(largest);
    if (parts.length < 2 || areas.length - 1 + parts.length > MAX_AREAS) whole.add(largest);
    else areas = [...areas.filter((area) => area !== largest), ...parts];
  }
  return areas.sort((one, other) => (one.label < other.label ? -1 : 1));
}

/** One area per sub-folder; a lone sub-folder is gone through. */
function divided({ label, modules }: Area): Area[] {
  const groups = grouped(modules.map((module) => [childOf(label, module.label), module]));
  const parts = [...groups].map(([folder, own]) => ({ label: folder, modules: own }));
  const [only] = parts;
  return parts.length === 1 && only !== undefined && only.label !== label ? divided(only) : parts;
}

function childOf(folder: string, label: string): string {
  if (label === folder || label === '.') return folder;
  const below = folder === '.' ? label : label.slice(folder.length + 1);
  const [first = ''] = below.split('/');
  return folder === '.' ? first : `${folder}/${first}`;
}

/** The modules that most others build on: where a reader should begin. */
export function entryModules(modules: readonly SpecModule[], all: readonly SpecModule[]): SpecModule[] {
  const uses = new Map<string, number>();
  for (const { dependsOn, circle = [] } of all)
    for (const label of [...dependsOn, ...circle]) uses.set(label, (uses.get(label) ?? 0) + 1);
  const rank = (module: SpecModule) => (isProgram(module) ? PROGRAM_RANK : (uses.get(module.label) ?? 0));
  return modules.toSorted((one, other) => rank(other) - rank(one) || (one.label < other.label ? -1 : 1));
}

/** Programs are where everything starts. */
const PROGRAM_RANK = 1_000_000;

function isProgram({ label, files }: SpecModule): boolean {
  return (
    /(?:^|\/)(?:cmd|bin|cli)(?:\/|$)/.test(label) &&
    files.some(({ skeleton }) => /(?:^|\/)(?:main|__main__|index|cli)\.\w+$/.test(skeleton.filePath))
  );
}

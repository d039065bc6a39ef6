import { existsSync } from 'node:fs';
import type { HooksFile } from '../connect/hooks-file.ts';
import { hookLine, withHookLine } from '../connect/plan-all.ts';
import { type ClientScript, scriptsOf } from '../connect/scripts.ts';
import { Texts } from '../connect/texts.ts';
import { copiesFolder, writeFiles } from '../connect/write-files.ts';
import { type OwnProgram, ownProgram } from '../own-program.ts';
import type { Finding } from './examine.ts';

/** Rewrites hooks that an earlier version has installed, or whose program is not where it was (A12). */
export function renewHooks(file: HooksFile, own: OwnProgram): Finding[] {
  const { client, path, prefix } = file;
  const { origin, self } = own;
  const texts = new Texts();
  for (const script of scriptsOf({ client, origin, self }))
    if (!isCurrent(script, texts.before(script.path), script.path === prefix?.path))
      texts.set(script.path, script.text, script.mode);
  const line = hookLine({ file, origin, program: ownProgram(own) }, texts);
  texts.set(path, withHookLine(texts.get(path), file, line));
  const changes = texts.changes();
  if (changes.length === 0) return [];
  try {
    writeFiles(changes, copiesFolder(origin));
  } catch {
    const advice = `secateur connect ${client.name} --write`;
    return [{ what: 'Hooks', state: 'broken', found: 'are those of an earlier installation', advice }];
  }
  const isEntryNew = changes.some((change) => change.path === path);
  const advice = isEntryNew ? client.installation.advice : undefined;
  return [
    {
      what: 'Hooks',
      state: 'note',
      found: 'renewed: they were those of an earlier installation',
      ...(advice && { advice }),
    },
  ];
}

/** A script that runs another installation which still exists is left alone; one that the user does not want is not made. */
function isCurrent({ text }: ClientScript, found: string | undefined, isOptional: boolean): boolean {
  if (found === undefined) return isOptional;
  const stored = /^script='(.*)'$/m.exec(found)?.[1] ?? '';
  return withoutPaths(found) === withoutPaths(text) && existsSync(stored);
}

function withoutPaths(script: string): string {
  return script.replace(/^node=.*\nscript=.*$/m, '');
}

import { existsSync } from 'node:fs';
import { type HooksFile, withHooks } from '../connect/hooks-file.ts';
import { type ClientScript, hookCommand, scriptsOf } from '../connect/scripts.ts';
import { Texts } from '../connect/texts.ts';
import { writeFiles } from '../connect/write-files.ts';
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
  const command = hookCommand({ client, origin }, ownProgram(own));
  const text = texts.get(path);
  if (!text.includes(JSON.stringify(command))) texts.set(path, withHooks(text, file, command));
  const changes = texts.changes();
  if (changes.length === 0) return [];
  try {
    writeFiles(changes);
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

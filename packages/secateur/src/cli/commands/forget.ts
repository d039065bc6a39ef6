import { DomainError } from '@secateur/base/runtime/domain-error.ts';
import { noteKey, type RecoveryStore } from '@secateur/engine/recovery/store.ts';
import { defineCommand, usageError } from '@secateur/serving/commands/command.ts';
import { readTokenFile } from '@secateur/serving/wire/token-file.ts';
import { openRecoveryStore, setAsideLog } from '../open-stores.ts';
import { redactedLog, tokensPath } from '../server-deps.ts';

export const forget = defineCommand({
  usage: 'ID… | --all',
  details:
    'Deletes stored outputs, so that their lines cannot be recovered any more. --all also deletes files that an earlier version or a fault left in the directory of the store.',
  sections: ['recovery'],
  defaults: { recovery: { store: 'embedded' } },
  options: { all: { type: 'boolean', doc: 'all stored outputs' } },
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { line: 'secateur forget prn_7ZK3…', does: 'deletes one stored output, for every user' },
    { line: 'secateur forget --all', does: 'deletes all stored outputs' },
  ],
  run: async ({ config, options, positionals: ids, terminal }) => {
    if (options.all === ids.length > 0) throw usageError('expected either ids or --all');
    const grants = (await readTokenFile(tokensPath(config.recovery))) ?? [];
    let user: string | undefined;
    const store = await openRecoveryStore(config.recovery, {
      owner: () => user,
      onSetAside: setAsideLog(redactedLog(terminal.errors)),
    });
    try {
      if (options.all)
        terminal.line(`Deleted ${await emptied(store, config.recovery.store)} stored outputs.`);
      const isDeleted = new Set<string>();
      // Each user of a shared server has a separate set of texts.
      for (user of [undefined, ...grants.map(({ name }) => name)])
        for (const id of ids) if (await deleted(store, id)) isDeleted.add(id);
      for (const id of isDeleted) terminal.line(`Deleted ${id}.`);
      const unknown = ids.filter((id) => !isDeleted.has(id));
      if (unknown.length > 0)
        throw new DomainError('prune_id_not_found', `not stored: ${unknown.join(', ')}`, {
          hint: 'The id is unknown, has expired and was deleted, or belongs to another store (SECATEUR_STORE, SECATEUR_DATA_DIR).',
        });
    } finally {
      await store.close();
    }
  },
});

async function deleted(store: RecoveryStore, id: string): Promise<boolean> {
  await store.forget(noteKey(id));
  return store.forget(id);
}

async function emptied(store: RecoveryStore, kind: string): Promise<number> {
  if (store.empty !== undefined) return store.empty();
  const hint =
    kind === 'redis'
      ? 'Texts in Redis expire on their own; delete the keys under SECATEUR_REDIS_PREFIX with redis-cli.'
      : 'Its texts are in the memory of the server: stop it with `secateur stop`.';
  throw new DomainError('not_supported', `the ${kind} store cannot be emptied from here`, { hint });
}

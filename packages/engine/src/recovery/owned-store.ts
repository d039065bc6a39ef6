import type { RecoveryStore } from './store.ts';

/**
 * Gives each text an owner, the user who caused it to be kept: under the same id another owner finds nothing.
 * Without an owner, texts are shared by all, as on a machine of one user.
 */
export function ownedStore(store: RecoveryStore, owner: () => string | undefined): RecoveryStore {
  const own = (id: string) => {
    const name = owner();
    return name === undefined ? id : `${name}/${id}`;
  };
  return {
    idKey: () => store.idKey(),
    put: (id, text) => store.put(own(id), text),
    putNew: (id, text) => store.putNew(own(id), text),
    forget: (id) => store.forget(own(id)),
    get: (id) => store.get(own(id)),
    heldBytes: () => store.heldBytes?.(),
    ...(store.empty && { empty: store.empty.bind(store) }),
    ...(store.usage && { usage: store.usage.bind(store) }),
    close: () => store.close(),
  };
}

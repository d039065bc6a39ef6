import { type TextExports, TextModule } from '../../text/text-module.ts';

interface Exports extends TextExports {
  mayHoldSecrets(length: number): boolean;
}

/**
 * Whether a text may hold a secret, by `wasm/secrets.as`: most files hold none, and thirty patterns take longer to find
 * that out than one look. Where this machine cannot run it every text may.
 */
export function openSuspicion(): (text: string) => boolean {
  const module = TextModule.open<Exports>(new URL('./secrets.wasm', import.meta.url));
  return (text) => module?.put(text) !== true || Boolean(module.exports.mayHoldSecrets(text.length));
}

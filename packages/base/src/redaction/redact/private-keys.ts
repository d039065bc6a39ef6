const BLOCK = /-----BEGIN ([A-Z ]*)PRIVATE KEY( BLOCK)?-----([\s\S]*?)(?:-----END \1PRIVATE KEY\2?-----|$)/g;
/** PuTTY's own file: the private half follows its count of lines. */
const PUTTY = /(Private-Lines: \d+\s)([A-Za-z0-9+/=\s]+)/g;
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16,}/g;

/**
 * Only the key material goes: quotes, `\n` escapes, comment stars and line breaks between the armour lines
 * stay, because a key is as often a chain of string literals as one block.
 */
export function redactPrivateKeys(text: string): string {
  const putty = text.includes('Private-Lines: ')
    ? text.replace(
        PUTTY,
        (_block, head: string, body: string) => head + body.replace(KEY_MATERIAL, redactRun),
      )
    : text;
  if (!putty.includes('PRIVATE KEY')) return putty;
  return putty.replace(BLOCK, (block) => redactBody(block));
}

function redactBody(block: string): string {
  const bodyStart = block.indexOf('-----', 11) + 5;
  const bodyEnd = block.lastIndexOf('-----END');
  const end = bodyEnd < bodyStart ? block.length : bodyEnd;
  const body = block.slice(bodyStart, end).replace(KEY_MATERIAL, redactRun);
  return block.slice(0, bodyStart) + body + block.slice(end);
}

/** A run after a backslash begins with the letter of its escape (`\nMIIE…`). */
function redactRun(run: string, at: number, body: string): string {
  const escaped = body[at - 1] === '\\' ? (run[0] ?? '') : '';
  return `${escaped}[REDACTED:private-key]`;
}

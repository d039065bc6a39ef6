/** Shannon entropy in bits a character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const char of text) counts.set(char, (counts.get(char) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

const DIGEST_LENGTHS = new Set([32, 40, 56, 64, 96, 128]);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Checksums, ids and alphabets look random and are public. */
function isPublicRandomness(text: string): boolean {
  if (/^(?:sha\d+|md5)[-:]/i.test(text)) return true;
  if (UUID.test(text)) return true;
  if (/^[0-9a-f]+$/i.test(text)) return DIGEST_LENGTHS.has(text.length);
  return isAlphabet(text);
}

/** At least half of the neighbours are consecutive: `ABCDEFGH…`, `0123456789`. */
function isAlphabet(text: string): boolean {
  let consecutive = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) consecutive += 1;
  }
  return consecutive >= (text.length - 1) / 2;
}

/** Random as a generated key is: long, three character classes, often changing between them. */
export function looksGenerated(text: string): boolean {
  if (text.length < 32 || text.length > 1024) return false;
  if (!/^[A-Za-z0-9+/=_-]+$/.test(text)) return false;
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false;
  if (isPublicRandomness(text) || isWordy(text)) return false;
  return changesOfClass(text) >= text.length / 3 && entropy(text) >= 4.2;
}

/** `InvalidUriPathPrefixError`: names change class often too, but most of them is words. */
function isWordy(text: string): boolean {
  const words = text.match(/[a-z]{3,}/g) ?? [];
  return words.join('').length >= text.length * 0.45;
}

function changesOfClass(text: string): number {
  let changes = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (classOf(text.charCodeAt(at)) !== classOf(text.charCodeAt(at - 1))) changes += 1;
  }
  return changes;
}

function classOf(code: number): 'digit' | 'upper' | 'lower' | 'other' {
  if (code >= 48 && code <= 57) return 'digit';
  if (code >= 65 && code <= 90) return 'upper';
  if (code >= 97 && code <= 122) return 'lower';
  return 'other';
}

/**
 * Whether a value could be what a secret name was given. Plain words joined by `-`, `_`, `.` or `/` name a thing
 * (`access_token`, `my-secret-name`); they are not one.
 */
export function isRandomEnough(value: string): boolean {
  if (/^[A-Za-z]+(?:[-_./:][A-Za-z]+)*$/.test(value)) return looksGenerated(value);
  if (/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.test(value)) return false;
  if (isPublicRandomness(value)) return /^[0-9a-f]{32,}$/i.test(value) || UUID.test(value);
  return /\d/.test(value) ? entropy(value) >= 2.5 : /[^\w.:/-]/.test(value);
}

/** Templates, examples, patterns and formats. */
export function isPlaceholder(value: string): boolean {
  return /^(?:<.*>|\$\{?.*|\{.*\}|%.*|x{4,}.*|\*{4,}|your[-_].*|.*\.\.\.$|#[0-9a-f]{3,8}$)|\(\?|%[sd(]|\\[dwsbx]|\[REDACTED:/i.test(
    value,
  );
}

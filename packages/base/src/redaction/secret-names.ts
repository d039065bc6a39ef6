const SECRET_NAME =
  /(?:passw(?:or)?d|passphrase|passcode|\bpwd|_pwd|secret|token|credential|(?:\b|_)creds|(?:api|access|private|encryption|signing|auth|client|master|hmac|aes|session|consumer|deploy|ssh|account|storage|subscription|shared|cipher|crypto)[_-]?key)s?([A-Za-z0-9_-]{0,64})$/i;
/** Names that describe a secret but do not contain one: `tokenType`, `TOKEN_ENDPOINT`, `passwordField`. */
const ABOUT =
  /^[_-]?(?:type|name|kind|endpoint|ur[il]|path|file|dir|field|header|param|prefix|suffix|label|format|scheme|pattern|regex|class|error|message|text|title|help|hint|event|action|scope|policy|provider|source|store|count|limit|length|usage|version|algo|hash|digest|encoding|rule|strength|expir|ttl|age|size|mode|status|state|index|idx|pos|line|column|offset|color|colour|style|icon|selector|locale|through|port|i[sz](?:e|ing|ation))/i;

/** Names that end with `pass`: `DB_PASS`, `dbPass`, but not `bypass` and `passengers`. */
const PASS = /(?:^|[_.-])(?:pass|Pass|PASS)$|[a-z0-9]Pass$/;

export function isSecretName(name: string): boolean {
  if (PASS.test(name)) return true;
  const rest = SECRET_NAME.exec(name)?.[1];
  return rest !== undefined && !ABOUT.test(rest);
}

/** Whether values with this name look random but are public. */
export function isPublicName(name: string): boolean {
  return /sha\d|md5|checksum|digest|integrity|fingerprint|public|pubkey|challenge|etag/i.test(name);
}

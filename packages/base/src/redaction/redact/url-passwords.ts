import { isPlaceholder, isRandomEnough } from './randomness.ts';

/** Looked for from its `://` on, which is rare; words are everywhere. */
const URL_WITH_PASSWORD = /(:\/\/[^\s/:@'"`<>[]{0,200}:)([^\s/@'"`<>]{1,500})@/g;
/** The same where nobody escapes a `/`: these are no addresses of pages. */
const DATABASE_URL =
  /(:\/\/(?<=\b(?:mongodb|postgres(?:ql)?|mysql|mariadb|rediss?|amqps?|mssql|clickhouse|ldaps?|smtps?|ftps?)(?:\+[a-z]{1,10})?:\/\/)[^\s/:@'"`<>[]{0,200}:)([^\s@'"`<>]{1,200})@/g;
/** What documentation and templates put where the password will be. */
const PLACEHOLDER = /^(?:\$\{?|\{|%|\[|\*+$|x+$|pass(?:word|wd)?$|pwd$|secret$|\.\.\.)/i;
/** A token instead of a user: `https://<token>@github.com/…`. */
const URL_WITH_TOKEN = /(:\/\/)(?=[A-Za-z_-]{0,60}\d)([A-Za-z0-9_-]{20,200})@/g;
/** A field of a query or of a connection string: `;Password=…`, `?api_key=…`. */
const FIELD =
  /([?&;]\s{0,2}(?:password|passwd|pwd|api[_-]?key|(?:access|auth|refresh|id)[_-]?token|client[_-]?secret|secret(?:[_-]?key)?|token)=)([^\s;&'"`<>(){}[\]$|,]{6,500})(?=[\s;&'"`<>,|)\]]|$)/gi;

export function redactUrlPasswords(text: string): string {
  const fields = text.replace(FIELD, (match, before: string, value: string) =>
    isRandomEnough(value) && !isPlaceholder(value) ? `${before}[REDACTED:secret]` : match,
  );
  if (!fields.includes('://')) return fields;
  return fields
    .replace(URL_WITH_PASSWORD, redactPassword)
    .replace(DATABASE_URL, redactPassword)
    .replace(URL_WITH_TOKEN, '$1[REDACTED:url-token]@');
}

function redactPassword(match: string, before: string, password: string): string {
  return PLACEHOLDER.test(password) ? match : `${before}[REDACTED:url-password]@`;
}

const URL_WITH_PASSWORD = /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s/:@'"`<>]{0,200}:)([^\s/@'"`<>]{1,500})@/gi;
/** What documentation and templates put where the password will be. */
const PLACEHOLDER = /^(?:\$\{?|\{|%|\[|\*+$|x+$|pass(?:word|wd)?$|pwd$|secret$|\.\.\.)/i;

export function redactUrlPasswords(text: string): string {
  if (!text.includes('://')) return text;
  return text.replace(URL_WITH_PASSWORD, (match, before: string, password: string) =>
    PLACEHOLDER.test(password) ? match : `${before}[REDACTED:url-password]@`,
  );
}

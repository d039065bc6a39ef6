import { isPublicName, isSecretName } from '../secret-names.ts';
import { isPlaceholder, looksGenerated } from './randomness.ts';

/** `NAME=value`, `name: value`, `- "name": value`: a line of its own, and all the rest of it is the value. */
const SETTING =
  /^([ \t]*(?:export[ \t]+|set[ \t]+|-[ \t]+)?["']?)([A-Za-z_][\w.-]{0,63})(["']?[ \t]*[:=][ \t]*)(["']?)(.+)/gm;
/** The same among other words: `docker run -e NAME=value`, `//host/:_authToken=value`. */
const INLINE = /()(?<![\w.-])([A-Za-z_][\w.-]{0,63})(=)(["']?)([^\s"']+)/g;
/** `ENV NAME value` of a Dockerfile. */
const BLANK = /^([ \t]*(?:ENV|ARG|setx?)[ \t]+)([A-Za-z_]\w{0,63})([ \t]+)(["']?)([^\s=]+)/gm;
/** `--password value`, `login name password value` of a netrc file. */
const ARGUMENT =
  /((?:--?|\b(?:login[ \t]+\S{1,200}[ \t]+))(?:password|passwd|token|secret|api-?key)[ \t=]+)([^\s'"]{3,})/gi;
/** Nothing a secret would be: a switch, a reference, an empty text, the start of a block. */
const NO_VALUE = /^(?:true|false|yes|no|on|off|null|none|nil|~|["'[{|>&*!]|\$|\d{1,5}$|https?:\/\/[^@\s]*$)/i;

/**
 * The same text as settings, where no parser knows better: `.env`, YAML, ini, shell. Without quotes to go by, all of
 * a value goes whose name says secret, however it looks.
 */
export function redactPlainSettings(text: string): string {
  const settings = [SETTING, INLINE, BLANK].reduce((left, form) => left.replace(form, redactSetting), text);
  return settings.replace(ARGUMENT, (match, before: string, value: string) =>
    mayBeValue(value) ? `${before}[REDACTED:secret]` : match,
  );
}

function redactSetting(match: string, ...groups: string[]): string {
  const [before = '', name = '', operator = '', quote = '', rest = ''] = groups;
  const value = quote === '' ? withoutComment(rest) : (rest.split(quote)[0] ?? rest);
  if (!mayBeValue(value)) return match;
  if (!isSecretName(name) && (isPublicName(name) || !looksGenerated(value))) return match;
  return `${before}${name}${operator}${quote}[REDACTED:secret]${rest.slice(value.length)}`;
}

function withoutComment(rest: string): string {
  const at = rest.search(/(?<![ \t])[ \t]+#/);
  return (at === -1 ? rest : rest.slice(0, at)).trimEnd();
}

function mayBeValue(value: string): boolean {
  return value !== '' && !isPlaceholder(value) && !NO_VALUE.test(value);
}

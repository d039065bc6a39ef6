import { isSecretName } from '../secret-names.ts';
import { isPlaceholder, isRandomEnough } from './randomness.ts';

/** A secret recognised by the call, option or sentence around it. */
interface CallShape {
  /** `before` and `value` are named adjacent groups; `name`, if present, must be that of a secret. */
  readonly pattern: RegExp;
  /** Text every match contains: lets a scan skip the pattern. */
  readonly hint: string;
  isSecret(value: string): boolean;
}

const QUOTE = '["\'`]';
const shape = (source: string, flags = 'g') => new RegExp(source, flags);

const SHAPES: readonly CallShape[] = [
  {
    // '{"password":"…"}': JSON inside another literal.
    pattern: shape(
      '(?<before>\\\\?"(?<name>[A-Za-z_][\\w-]{0,63})\\\\?"\\s{0,4}:\\s{0,4}\\\\?")(?<value>[^"\\\\\\s]{4,500})',
    ),
    hint: '":',
    isSecret: isRandomEnough,
  },
  {
    // key = isLive ? "…" : "…"; the second follows when the first is gone.
    pattern: shape(
      `(?<before>(?<![\\w$])(?<name>[A-Za-z_$][\\w$]{0,63})\\s{0,9}[:=]\\s{0,9}[\\w$.!()<>=& \\t]{1,80}\\?\\s{0,9}(?:${QUOTE}[^"'\`\\s]{0,200}${QUOTE}\\s{0,9}:\\s{0,9})?${QUOTE})(?<value>[^"'\`\\s[\\]]{6,500})(?=${QUOTE})`,
    ),
    hint: '?',
    isSecret: isRandomEnough,
  },
  {
    pattern: shape(
      `(?<before>\\b(?:Buffer\\.from|b64decode|fromhex|unhexlify|decodeHex|hexToBytes)\\(\\s{0,9}b?${QUOTE})(?<value>[0-9a-fA-F]{32,500}|[A-Za-z0-9+/]{32,500}={0,2})(?=${QUOTE})`,
    ),
    hint: '(',
    isSecret: isRandomEnough,
  },
  {
    pattern: /(?<before>\bsshpass\s{1,4}-p\s{0,4}["']?)(?<value>[^\s"'$]{3,200})/g,
    hint: 'sshpass',
    isSecret: isSpelled,
  },
  {
    pattern: /(?<before>\bmysql(?:dump|admin)?\s(?:[^\n|;&]{0,120}\s)?-p["']?)(?<value>[^\s"'$]{3,200})/g,
    hint: 'mysql',
    isSecret: isSpelled,
  },
  {
    // @Value("${db.password:…}"): a setting and what it is unless set.
    pattern: /(?<before>\$\{(?:[\w-]{1,60}\.){0,8}(?<name>[\w-]{1,60}):)(?<value>[^}\s${]{4,200})(?=\})/g,
    hint: '${',
    isSecret: isSpelled,
  },
  {
    // add_argument("-p", "--password", default="…")
    pattern:
      /(?<before>(?:["']-\w["']\s{0,4},\s{0,9})?["']--?(?<name>[\w-]{1,60})["'][^\n()"']{0,80}(?:["'][^\n"']{0,80}["'][^\n()"']{0,80}){0,3}\bdefault\s{0,4}=\s{0,4}["'])(?<value>[^"'\s]{4,200})(?=["'])/g,
    hint: 'default',
    isSecret: isSpelled,
  },
  {
    pattern:
      /(?<before>\b(?:log_?in|authenticate|sign_?in)\(\s{0,9}(?:["'][^"'\n]{1,100}["']|[\w.$]{1,100})\s{0,9},\s{0,9}["'])(?<value>[^"'\s]{6,200})(?=["'])/gi,
    hint: '(',
    isSecret: isRandomEnough,
  },
];

/** Secrets that no name is assigned to and no issuer marked. */
export function redactCallShapes(text: string): string {
  return SHAPES.reduce((clean, one) => (clean.includes(one.hint) ? replaceAll(clean, one) : clean), text);
}

function replaceAll(text: string, { pattern, isSecret }: CallShape): string {
  return text.replace(pattern, (match: string, ...rest: unknown[]) => {
    const { before = '', name, value = '' } = rest.at(-1) as Record<string, string | undefined>;
    if (name !== undefined && !isSecretName(name)) return match;
    if (isPlaceholder(value) || !isSecret(value)) return match;
    return `${before}[REDACTED:secret]`;
  });
}

/** If the option itself says password, any word is a secret that is not a variable. */
function isSpelled(value: string): boolean {
  return !/^[<{%*[]/.test(value);
}

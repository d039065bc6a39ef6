const WORD = '[A-Za-z0-9_-]';
const DIGIT_AHEAD = '(?=[A-Za-z_-]{0,80}\\d)';

/**
 * Credentials made of letters, digits, `_`, `-` and `.` alone, by the prefix their issuer gives them: patterns of whole
 * tokens by label. They must not have capturing groups, since all shapes are joined into one pattern.
 */
export const tokenShapes: Readonly<Record<string, string>> = {
  'aws-access-key': 'amzn\\.mws\\.[0-9a-f-]{36}',
  'github-token': 'gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,}|v1\\.[0-9a-f]{40}(?!\\w)',
  'gitlab-token': `gl(?:pat|rt|rtr|ptt|dt|soat|cbt|agent|oas|ft|imt|ffct|wt)-${DIGIT_AHEAD}[A-Za-z0-9_.-]{20,}`,
  'slack-token': `x(?:ox[abceposr]|app)-${WORD}{10,}|xoxe\\.xox[bp]-${WORD}{10,}`,
  'stripe-key': '[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}',
  'webhook-secret': 'whsec_[A-Za-z0-9]{20,}',
  'anthropic-key': `sk-ant-${WORD}{16,}`,
  'openai-key': `sk-(?:proj-|svcacct-|admin-|or-)?${DIGIT_AHEAD}${WORD}{20,}`,
  'model-key': `gsk_[A-Za-z0-9]{40,}|xai-[A-Za-z0-9]{60,}|pplx-[A-Za-z0-9]{40,}|r8_[A-Za-z0-9]{37}|hf_[A-Za-z0-9]{30,}|fw_${DIGIT_AHEAD}[A-Za-z0-9]{22,24}(?!\\w)`,
  'google-key': `AIza${WORD}{35}|ya29\\.${WORD}{20,}|GOCSPX-${WORD}{20,}`,
  'azure-secret': '[0-9a-zA-Z]{76}AZDO[0-9a-zA-Z]{4}',
  'package-token': `npm_[A-Za-z0-9]{36}|pypi-${WORD}{32,}|rubygems_[0-9a-f]{48}|CLOJARS_[0-9a-f]{60}|oy2[a-z0-9]{43}(?!\\w)|cio(?=[a-zA-Z]{0,40}\\d)[A-Za-z0-9]{32}(?!\\w)`,
  'container-token': `dckr_[po]at_${WORD}{27,}`,
  'mail-key': `SG\\.${WORD}{16,200}\\.${WORD}{16,}|key-[0-9a-f]{32}(?!\\w)|[0-9a-f]{32}-us\\d{1,2}(?!\\w)|xkeysib-[0-9a-f]{64}-[A-Za-z0-9]{16}`,
  'twilio-key': 'SK[0-9a-f]{32}(?!\\w)',
  'discord-token': `[MNO](?=[A-Za-z_-]{0,30}\\d)${WORD}{23,27}\\.${WORD}{6}\\.${WORD}{27,}`,
  'cloud-token': `do[opr]_v1_[a-f0-9]{64}|HRKU-${WORD}{30,}|nfp_[A-Za-z0-9]{36,}|vercel_blob_rw_\\w{30,}|fo1_${WORD}{43}|v1\\.0-[0-9a-f]{24}-[0-9a-f]{146}|LTAI(?=[A-Za-z]{0,20}\\d)[A-Za-z0-9]{16,20}(?!\\w)|AKID(?=[A-Za-z]{0,32}\\d)[A-Za-z0-9]{32}(?!\\w)`,
  'infrastructure-token': `hv[sbr]\\.${DIGIT_AHEAD}${WORD}{24,}|[A-Za-z0-9]{14}\\.atlasv1\\.${WORD}{60,}|pul-[0-9a-f]{40}|dp\\.(?:pt|st|ct|sa|scim|audit)\\.${DIGIT_AHEAD}[A-Za-z0-9_.-]{30,}`,
  'database-token': `dapi[0-9a-f]{32}|pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}|sbp_[0-9a-f]{40}|sb_secret_${WORD}{20,}`,
  'monitoring-token': `glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}|glc_${DIGIT_AHEAD}[A-Za-z0-9]{32,}|sntry[su]_${WORD}{40,}|dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}|NR(?:AK|II|RA|IQ|SP)-[A-Za-z0-9-]{24,}|NRJS-[0-9a-f]{19}`,
  'shop-token': `shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}|sq0[a-z]{3}-${WORD}{22,}|shippo_(?:live|test)_[0-9a-f]{40}|(?:live|test)_(?:pub_)?[0-9a-f]{31,35}(?!\\w)|EZ[AT]K[A-Za-z0-9]{54,}`,
  'social-token': `EAA[A-Z](?=[A-Za-z_-]{0,80}\\d)${WORD}{56,}`,
  'work-token': `ATATT3${WORD}{60,}|ATCTT3${WORD}{60,}|ATBB(?=[A-Za-z]{0,32}\\d)[A-Za-z0-9]{28,}|lin_(?:api|oauth)_[A-Za-z0-9]{32,}|ntn_[A-Za-z0-9]{40,}|secret_(?=[A-Za-z]{0,40}\\d)[A-Za-z0-9]{43}(?!\\w)|fig[dur]_${DIGIT_AHEAD}${WORD}{40,}|pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}|pat-[a-z]{2}\\d-[0-9a-f-]{36}|PMAK-[0-9a-f]{24}-[0-9a-f]{34}|CFPAT-${WORD}{43}|tfp_${DIGIT_AHEAD}[A-Za-z0-9_.-]{40,}|aio_(?=[A-Za-z]{0,28}\\d)[A-Za-z0-9]{28}(?!\\w)`,
  'age-key': 'AGE-SECRET-KEY-1[0-9A-Z]{58}',
  'map-token': `sk\\.eyJ${WORD}{40,1000}\\.${WORD}{20,}`,
  jwt: `eyJ${WORD}{8,1000}\\.eyJ[A-Za-z0-9_.-]{17,}`,
};

/** Returns the Shannon entropy in bits per character. */
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

/** Whether a text is random but public: a checksum, an id, an alphabet. */
function isPublicRandomness(text: string): boolean {
  if (/^(?:sha\d+|md5)[-:]/i.test(text)) return true;
  if (UUID.test(text)) return true;
  if (/^[0-9a-f]+$/i.test(text)) return DIGEST_LENGTHS.has(text.length);
  return isAlphabet(text);
}

/** Whether at least half of the adjacent characters are consecutive: `ABCDEFGH…`, `0123456789`. */
function isAlphabet(text: string): boolean {
  let consecutive = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (text.charCodeAt(at) - text.charCodeAt(at - 1) === 1) consecutive += 1;
  }
  return consecutive >= (text.length - 1) / 2;
}

/** Whether a text looks like a generated key: long, with three classes of characters that alternate often. */
export function looksGenerated(text: string): boolean {
  if (text.length < 32 || text.length > 1024) return false;
  if (!/^[A-Za-z0-9+/=_-]+$/.test(text)) return false;
  if (!/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false;
  if (isPublicRandomness(text) || isWordy(text)) return false;
  return changesOfClass(text) >= text.length / 3 && entropy(text) >= 4.2;
}

/** Whether a text consists mostly of words, as the name `InvalidUriPathPrefixError` does. */
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
 * Whether a value may be a secret. Plain words joined by `-`, `_`, `.` or `/` are names (`access_token`,
 * `my-secret-name`), not secrets.
 */
export function isRandomEnough(value: string): boolean {
  if (/^[A-Za-z]+(?:[-_./:][A-Za-z]+)*$/.test(value)) return looksGenerated(value);
  if (/^(?:\.{0,2}\/|[a-z][a-z0-9+.-]{1,20}:\/\/)/i.test(value)) return false;
  if (isPublicRandomness(value)) return /^[0-9a-f]{32,}$/i.test(value) || UUID.test(value);
  return /\d/.test(value) ? entropy(value) >= 2.5 : /[^\w.:/-]/.test(value);
}

/** Whether a value is a template, an example, a pattern or a format. */
export function isPlaceholder(value: string): boolean {
  return /^(?:<.*>|\$\{?.*|\{.*\}|%.*|x{4,}.*|\*{4,}|your[-_].*|.*\.\.\.$|#[0-9a-f]{3,8}$)|\(\?|%[sd(]|\\[dwsbx]|\[REDACTED:/i.test(
    value,
  );
}

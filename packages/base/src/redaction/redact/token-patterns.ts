export interface TokenPattern {
  label: string;
  /** A first group, when there is one, is a prefix that stays. */
  pattern: RegExp;
  /** Text every match contains: lets a scan skip the pattern. */
  hint?: string;
}

/** Credentials told by what stands before them, made of more than letters and digits, or perhaps without a digit. */
export const tokenPatterns: readonly TokenPattern[] = [
  { label: 'aws-access-key', pattern: /\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  {
    label: 'webhook',
    pattern: /(https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,}/g,
    hint: 'hooks.slack.com',
  },
  {
    label: 'webhook',
    pattern: /(https:\/\/(?:[a-z]+\.)?discord(?:app)?\.com\/api\/webhooks\/\d+\/)[\w-]{40,}/g,
    hint: '/api/webhooks/',
  },
  {
    label: 'webhook',
    pattern: /(https:\/\/[\w.-]{1,80}\.webhook\.office\.com\/)[\w@/-]{40,}/g,
    hint: '.webhook.office.com/',
  },
  { label: 'google-token', pattern: /\b1\/\/0[\w-]{40,}/g, hint: '1//0' },
  { label: 'telegram-token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}/g, hint: ':AA' },
  { label: 'azure-key', pattern: /\b((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{40,}/g, hint: 'Key=' },
  { label: 'azure-signature', pattern: /([?&]sig=)[A-Za-z0-9%+/=]{40,}/g, hint: 'sig=' },
  { label: 'azure-secret', pattern: /\b[\w~.-]{3}\dQ~[\w~.-]{31,40}/g, hint: 'Q~' },
  { label: 'aws-signature', pattern: /(X-Amz-Signature=)[0-9a-f]{64}/g, hint: 'X-Amz-Signature=' },
  { label: 'cloud-token', pattern: /(FlyV1\s{1,4})[\w+/=,-]{40,}/g, hint: 'FlyV1' },
  {
    label: 'bearer-token',
    pattern: /\b(Bearer\s{1,8})(?=[A-Za-z._~+/-]{0,200}\d)[A-Za-z0-9._~+/-]{20,}=*/g,
    hint: 'Bearer',
  },
  {
    label: 'basic-auth',
    pattern: /\b(Basic\s{1,8})(?=[A-Za-z+/]{0,200}\d)[A-Za-z0-9+/]{16,}={0,2}/g,
    hint: 'Basic',
  },
  {
    label: 'auth-header',
    pattern:
      /(\bAuthorization["']?\s{0,4}[:=]\s{0,4}["']?(?:[Tt]oken|[Aa]pi[Kk]ey)[ =]{1,4})[\w.~+/=-]{16,}/g,
    hint: 'uthorization',
  },
  {
    label: 'auth-header',
    pattern:
      /(-(?:[Kk]ey|KEY|[Tt]oken|TOKEN)["']?\s{0,4}:\s{0,4}["']?)(?=[A-Za-z._~+/-]{0,200}\d)[\w.~+/=-]{16,}/g,
    hint: '-',
  },
  {
    label: 'argument',
    pattern: /(--(?:password|passwd|token|secret|api-?key)[ =])(?=[^\s\d]{0,200}\d)[^\s'"`,)<>[\]]{6,}/g,
    hint: '--',
  },
  {
    label: 'argument',
    pattern: /(\bcurl [^\n]{0,200}?(?:-u|--user)[ =]["']?[\w.@-]{1,64}:)[^\s'"`<>$]{4,}/g,
    hint: 'curl ',
  },
  { label: 'password-hash', pattern: /\$(?:apr1|2[abxy]|[156]|argon2id?|y)\$[\w./$=,+-]{20,}/g, hint: '$' },
];

export interface TokenPattern {
  label: string;
  /** A first group, when there is one, is a prefix that stays. */
  pattern: RegExp;
  /** Text every match contains: lets a scan skip the pattern. */
  hint?: string;
}

/** Credentials that can be told by their own shape, whatever they are assigned to. */
export const tokenPatterns: readonly TokenPattern[] = [
  { label: 'aws-access-key', pattern: /\b(?:AKIA|ASIA|AROA|AIDA|AGPA|ANPA|ABIA|ACCA)[A-Z0-9]{16}\b/g },
  { label: 'github-token', pattern: /\bgh[pousr]_[A-Za-z0-9]{30,}/g },
  { label: 'github-token', pattern: /\bgithub_pat_[A-Za-z0-9_]{22,}/g, hint: 'github_pat_' },
  { label: 'gitlab-token', pattern: /\bgl(?:pat|rt|ptt|dt|soat)-[A-Za-z0-9_-]{20,}/g, hint: 'gl' },
  { label: 'slack-token', pattern: /\bx(?:ox[abeposr]|app)-[A-Za-z0-9-]{10,}/g, hint: '-' },
  {
    label: 'slack-webhook',
    pattern: /(https:\/\/hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/_-]{20,}/g,
    hint: 'hooks.slack.com',
  },
  { label: 'stripe-key', pattern: /\b[rsp]k_(?:live|test)_[A-Za-z0-9]{16,}/g, hint: 'k_' },
  { label: 'webhook-secret', pattern: /\bwhsec_[A-Za-z0-9+/=]{20,}/g, hint: 'whsec_' },
  { label: 'anthropic-key', pattern: /\bsk-ant-[A-Za-z0-9_-]{16,}/g, hint: 'sk-ant-' },
  {
    label: 'openai-key',
    pattern: /\bsk-(?:proj-|svcacct-|admin-)?(?=[A-Za-z_-]{0,200}\d)[A-Za-z0-9_-]{20,}/g,
    hint: 'sk-',
  },
  { label: 'google-key', pattern: /\bAIza[0-9A-Za-z_-]{35}/g, hint: 'AIza' },
  { label: 'google-token', pattern: /\bya29\.[0-9A-Za-z_-]{20,}/g, hint: 'ya29.' },
  { label: 'google-secret', pattern: /\bGOCSPX-[0-9A-Za-z_-]{20,}/g, hint: 'GOCSPX-' },
  { label: 'npm-token', pattern: /\bnpm_[A-Za-z0-9]{36}/g, hint: 'npm_' },
  { label: 'pypi-token', pattern: /\bpypi-[A-Za-z0-9_-]{32,}/g, hint: 'pypi-' },
  { label: 'huggingface-token', pattern: /\bhf_[A-Za-z0-9]{30,}/g, hint: 'hf_' },
  { label: 'sendgrid-key', pattern: /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g, hint: 'SG.' },
  { label: 'digitalocean-token', pattern: /\bdo[opr]_v1_[a-f0-9]{64}/g, hint: '_v1_' },
  { label: 'shopify-token', pattern: /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g, hint: 'shp' },
  { label: 'telegram-token', pattern: /\b\d{8,10}:AA[A-Za-z0-9_-]{33}/g, hint: ':AA' },
  { label: 'azure-key', pattern: /\b((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/=]{40,}/g, hint: 'Key=' },
  { label: 'azure-signature', pattern: /([?&]sig=)[A-Za-z0-9%+/=]{40,}/g, hint: 'sig=' },
  { label: 'jwt', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g, hint: 'eyJ' },
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
];

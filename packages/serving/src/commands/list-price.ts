/** US dollars a million tokens, as INPUT/OUTPUT: Anthropic's list of 16 November 2026 (platform.claude.com, models and pricing). */
const LIST_PRICES: Readonly<Record<string, string>> = {
  'claude-fable-5-1': '10/50',
  'claude-opus-5-5': '4/20',
  'claude-opus-5': '5/25',
  'claude-sonnet-5-5': '2/10',
};

/** Returns `undefined` for an unlisted model: a guess could let a run exceed its cost limit. */
export function listPriceOf(model: string): string | undefined {
  // Dated names (`…-20260924`) cost what their alias costs.
  return LIST_PRICES[model.replace(/-\d{8}$/, '')];
}

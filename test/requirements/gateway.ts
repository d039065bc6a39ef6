export const gatewayRequirements: Readonly<Record<string, string>> = {
  G10: 'masking is a pure function: long strings at any depth become head, marker, tail; the rest is shared',
  G11: 'no surrogate pair is split, no string grows, max_chars of zero or less switches masking off',
  G12: 'results of tools/call, resources/read and prompts/get and any error.data are masked; nothing else is',
  G13: 'a long image, audio or blob block becomes a text block; base64 is never cut in half',
  G14: 'strings in structuredContent are masked and no key is added to it',
};

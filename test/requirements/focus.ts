export const focusRequirements: Readonly<Record<string, string>> = {};

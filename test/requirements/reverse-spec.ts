export const reverseSpecRequirements: Readonly<Record<string, string>> = {};

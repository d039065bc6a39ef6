export const qualityRequirements: Readonly<Record<string, string>> = {};

export const prunerRequirements: Readonly<Record<string, string>> = {};

export const houseRequirements: Readonly<Record<string, string>> = {};

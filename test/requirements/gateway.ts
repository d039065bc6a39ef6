export const gatewayRequirements: Readonly<Record<string, string>> = {};

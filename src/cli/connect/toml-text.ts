/** A table as TOML; nested tables are written inline. JSON's strings and lists are TOML's, too. */
export function tomlTable(path: readonly string[], values: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(values)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${tomlKey(key)} = ${tomlValue(value)}`);
  return [`[${path.map(tomlKey).join('.')}]`, ...rows, ''].join('\n');
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

function tomlValue(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, each]) => `${tomlKey(key)} = ${tomlValue(each)}`);
  return `{ ${members.join(', ')} }`;
}

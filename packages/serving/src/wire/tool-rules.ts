/** Tools that may be known and called. Names match exactly; `*` at the end matches anything. */
export interface ToolRules {
  /** If given, only these. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

export function allowsTool({ allow, deny }: ToolRules, name: string): boolean {
  const isIn = (list: readonly string[]) => list.some((rule) => matches(rule, name));
  return (allow === undefined || isIn(allow)) && !isIn(deny ?? []);
}

function matches(rule: string, name: string): boolean {
  return rule.endsWith('*') ? name.startsWith(rule.slice(0, -1)) : name === rule;
}

/** `src/a.ts:12`, taken apart. */
export function locationOf(location: string): { file: string; line: number } {
  const cut = location.lastIndexOf(':');
  return { file: location.slice(0, cut), line: Math.max(1, Number(location.slice(cut + 1)) || 1) };
}

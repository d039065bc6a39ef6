/** Looks again until there is something to see. */
export async function eventually<T>(look: () => Promise<T | undefined>, what = 'it'): Promise<T> {
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain for ${what}`);
}

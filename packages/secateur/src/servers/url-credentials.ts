/** Addresses may carry credentials: logs and lists show no user, password, query or fragment. */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The header that says what stands before the `@` of an address; none where nothing does. */
export function credentialsIn({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

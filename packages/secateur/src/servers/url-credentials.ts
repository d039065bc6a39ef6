/** Addresses may carry credentials: logs and lists show no user, password, query or fragment. */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns the header for the credentials before the `@` of a URL, if it has any. */
export function credentialsIn({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

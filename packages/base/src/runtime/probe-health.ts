import { request } from 'node:http';
import { withDeadline } from './time.ts';

export interface Probe {
  readonly url: string;
  readonly timeoutMs: number;
  /** Token of the server, if there is one. Every route requires it. */
  readonly bearerToken?: string | undefined;
}

/** Returns the URL of a server, without a trailing slash. An IPv6 address is put in brackets. */
export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export function probeHealth({ url, timeoutMs, bearerToken }: Probe): Promise<boolean> {
  const headers = bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` };
  const send = (signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      const probe = request(url, { headers, signal, agent: false }, (response) => {
        resolve(response.statusCode === 200);
        response.destroy();
      });
      probe.on('error', () => resolve(false));
      probe.end();
    });
  return withDeadline({ timeoutMs }, send);
}

/** Returns a URL without user, password, query and fragment, for logs and lists. */
export function publicUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** Returns the header for the credentials before the `@` of a URL, if there are any. */
export function credentialsIn({ username, password }: URL): { authorization?: string } {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

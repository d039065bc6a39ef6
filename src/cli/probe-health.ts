import { request } from 'node:http';

export interface Probe {
  readonly url: string;
  readonly timeoutMs: number;
  /** Servers that have one ask for it on every route. */
  readonly bearerToken?: string | undefined;
}

/** Whether something answers a health request with success in time. */
export function probeHealth({ url, timeoutMs, bearerToken }: Probe): Promise<boolean> {
  const headers = bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` };
  return new Promise((resolve) => {
    const probe = request(
      url,
      { headers, signal: AbortSignal.timeout(timeoutMs), agent: false },
      (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      },
    );
    probe.on('error', () => resolve(false));
    probe.end();
  });
}

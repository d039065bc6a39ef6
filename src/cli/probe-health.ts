import { request } from 'node:http';

/** Whether something answers a health request with success within `timeoutMs`. */
export function probeHealth(url: string, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request(url, { signal: AbortSignal.timeout(timeoutMs), agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    probe.on('error', () => resolve(false));
    probe.end();
  });
}

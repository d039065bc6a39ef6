import { connect } from 'node:net';

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends bytes as they are and collects what comes back until the server closes, `until` matches, or time is up. */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  options: { until?: RegExp; waitMs?: number } = {},
): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const chunks: Buffer[] = [];
    const text = () => Buffer.concat(chunks).toString('latin1');
    const timer = setTimeout(() => socket.destroy(), options.waitMs ?? 5000);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (options.until?.test(text())) socket.destroy();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(readAnswer(text()));
    });
    socket.write(bytes);
  });
}

/** A client that reads nothing before it has sent its last byte. */
export function sendThenRead(port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port });
    let text = '';
    socket.on('error', reject);
    socket.write(bytes, () => {
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
  });
}

function readAnswer(text: string): RawAnswer {
  const split = text.indexOf('\r\n\r\n');
  const head = split === -1 ? text : text.slice(0, split);
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    head,
    body: split === -1 ? '' : text.slice(split + 4),
  };
}

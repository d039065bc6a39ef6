import type { Readable, Writable } from 'node:stream';
import { LineReader } from '@secateur/base/runtime/bounded-reading.ts';
import { carrierErrorResponse, createDispatcher, type Dispatcher, errorResponse } from './dispatcher.ts';
import {
  answerTo,
  callKey,
  cancelledId,
  type EncodedJson,
  InFlight,
  isModernMessage,
  type ReadMessage,
  type RpcRequest,
  readMessage,
  writtenId,
} from './messages/rpc-message.ts';
import type { connectModernStdio } from './modern/sdk-server.ts';
import { clientName, parseJson, type RpcServer } from './protocol.ts';

interface StdioHostOptions {
  readonly input: Readable;
  /** Stream for protocol messages. Nothing else may be written to it. */
  readonly output: Writable;
  /** Maximum bytes of a message. Default: 64 MiB. */
  readonly maxMessageBytes?: number;
  readonly newId?: () => string;
}

const DEFAULT_MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Serves JSON messages, one per line. Calls run concurrently, and each response is sent when its call ends. */
export function serveStdio(server: RpcServer, options: StdioHostOptions) {
  const { input, output, maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES, newId } = options;
  const dispatcher = createDispatcher(server, newId === undefined ? {} : { newId });
  const inFlight = new InFlight();
  const pending = new Set<Promise<void>>();
  const writer = createLineWriter(input, output);
  const modern = lazyModern(server, dispatcher, writer);
  const connection: Connection = { dispatcher, inFlight, writer, modern, client: undefined };

  const take = (line: Buffer) => {
    const work = takeLine(line, connection).finally(() => pending.delete(work));
    pending.add(work);
  };
  const lines = new LineReader(maxMessageBytes, {
    line: (line) => {
      if (line.length > MAX_BLANK || line.toString('latin1').trim() !== '') take(line);
    },
    tooLong: () => {
      writer.write(
        carrierErrorResponse('input_too_large', `A message is larger than ${maxMessageBytes} bytes`),
      );
      return undefined;
    },
  });

  const stopAll = () => {
    input.destroy();
    inFlight.abortAll();
    return modern.close();
  };
  const closed = (async () => {
    await Promise.race([readAll(input, lines), writer.gone]);
    if (writer.isGone()) await stopAll();
    while (pending.size > 0) await Promise.all(pending);
    await modern.close();
    await writer.flushed();
  })();

  return {
    /** Resolves when the input has ended and all calls have responses, or when the output was closed. */
    closed,
    /** Stops reading and aborts running calls. */
    close: async () => {
      await stopAll();
      await closed;
    },
  };
}

/** Maximum bytes of a line that may count as blank. Longer lines are parsed. */
const MAX_BLANK = 8;

interface Connection {
  readonly dispatcher: Dispatcher;
  readonly inFlight: InFlight;
  readonly writer: LineWriter;
  readonly modern: ReturnType<typeof lazyModern>;
  /** Name of the client; `undefined` before `initialize`. */
  client: string | undefined;
}

function lazyModern(server: RpcServer, dispatcher: Dispatcher, writer: LineWriter) {
  let connection: Promise<ReturnType<typeof connectModernStdio>> | undefined;
  return {
    connect: () => {
      connection ??= import('./modern/sdk-server.ts').then(({ connectModernStdio }) =>
        connectModernStdio(server, dispatcher, writer),
      );
      return connection;
    },
    ifConnected: () => connection,
    close: async () => (await connection)?.close(),
  };
}

async function takeLine(line: Buffer, connection: Connection): Promise<void> {
  const json = parseJson(line);
  if (json.kind === 'unparsable')
    return connection.writer.write(connection.dispatcher.unparsable(json.reason));
  const message = readMessage(json.value);
  if (isModernMessage(message)) return takeModern(message, json.value, connection);
  if (message.kind === 'request') return answerRequest(message, line, connection);
  return takeOther(message, json.value, connection);
}

async function takeModern(message: ReadMessage, json: unknown, connection: Connection): Promise<void> {
  const { dispatcher, modern, writer } = connection;
  try {
    await (await modern.connect()).deliver(message, json);
  } catch (error) {
    if (message.kind === 'request') writer.write(errorResponse(message.id, dispatcher.failure(error)));
  }
}

async function takeOther(message: ReadMessage, json: unknown, connection: Connection): Promise<void> {
  if (message.kind === 'notification' && message.method === 'notifications/cancelled') {
    const id = cancelledId(message.params);
    if (id !== undefined) connection.inFlight.cancel(callKey(id));
    return (await connection.modern.ifConnected())?.deliver(message, json);
  }
  const answer = await connection.dispatcher.dispatch(message, new AbortController());
  if (answer !== undefined) connection.writer.write(answer);
}

async function answerRequest(message: RpcRequest, line: Buffer, connection: Connection): Promise<void> {
  const { dispatcher, inFlight, writer } = connection;
  if (message.method === 'initialize') connection.client = clientName(message.params.clientInfo);
  const abort = new AbortController();
  const key = callKey(message.id);
  inFlight.begin(key, abort);
  const answer = await dispatcher.dispatch(message, {
    notify: writer.offer,
    client: connection.client,
    get signal() {
      return abort.signal;
    },
  });
  inFlight.end(key, abort);
  // The client has cancelled the request and expects no response.
  if (answer === undefined || abort.signal.aborted) return;
  writer.writeJson(answerTo(writtenId(message.id, line), await dispatcher.encode(answer)));
}

function readAll(input: Readable, lines: LineReader): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      lines.end();
      resolve();
    };
    input.on('data', (chunk: Buffer | string) =>
      lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk),
    );
    input.once('end', finish).once('close', finish).once('error', finish);
  });
}

export type LineWriter = ReturnType<typeof createLineWriter>;

/** Creates a writer of lines. It pauses the input while the client does not read responses. */
function createLineWriter(input: Readable, output: Writable) {
  let isGone = false;
  const gone = new Promise<void>((resolve) => {
    const leave = () => {
      isGone = true;
      resolve();
    };
    output.once('error', leave).once('close', leave);
  });
  output.on('drain', () => input.resume());

  const writeJson = (json: EncodedJson) => {
    if (isGone) return;
    if (typeof json !== 'string') for (const piece of json) output.write(piece);
    if (!output.write(typeof json === 'string' ? `${json}\n` : '\n')) input.pause();
  };

  return {
    /** Resolves when the client has closed the output. */
    gone,
    writeJson,
    isGone: () => isGone,
    /** Writes a progress message, or drops it if the client reads too slowly. */
    offer: (message: unknown) => {
      if (!output.writableNeedDrain) writeJson(JSON.stringify(message));
    },
    write: (message: unknown) => writeJson(JSON.stringify(message)),
    flushed: async () => {
      if (isGone || output.writableLength === 0) return;
      await Promise.race([gone, new Promise<void>((resolve) => output.write('', () => resolve()))]);
    },
  };
}

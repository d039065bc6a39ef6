import type { FirstMatches } from './first-matches.ts';
import { beginPath, readMatch } from './match-message.ts';
import { OversizeMessage } from './oversize-message.ts';

/** A longer message holds one enormous line; its start and its line number are enough. */
const MAX_MESSAGE_BYTES = 1_048_576;

/**
 * Reads ripgrep's JSON messages from chunks. A file's messages come together; those of a file that cannot
 * contribute any more are skipped without being parsed.
 */
export class MessageReader {
  /** Whether the search ran to its end. */
  summarised = false;
  private readonly matches: FirstMatches;
  private readonly name: (printed: string) => string;
  private pending: Buffer[] = [];
  private pendingBytes = 0;
  private oversize: OversizeMessage | undefined;
  private path = '';
  private skipping = false;

  constructor(matches: FirstMatches, name: (printed: string) => string) {
    this.matches = matches;
    this.name = name;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      this.keep(chunk.subarray(start, end));
      this.finishMessage();
      start = end + 1;
    }
    this.keep(chunk.subarray(start));
  }

  private keep(part: Buffer): void {
    if (this.oversize !== undefined) {
      this.oversize.push(part);
      return;
    }
    this.pending.push(part);
    this.pendingBytes += part.length;
    if (this.pendingBytes > MAX_MESSAGE_BYTES) this.oversize = new OversizeMessage(this.takePending());
  }

  private takePending(): Buffer {
    const whole = this.pending.length === 1 ? this.pending[0] : Buffer.concat(this.pending);
    this.pending = [];
    this.pendingBytes = 0;
    return whole ?? Buffer.alloc(0);
  }

  private finishMessage(): void {
    const { oversize } = this;
    this.oversize = undefined;
    if (oversize === undefined) {
      this.message(this.takePending());
    } else if (!this.skipping) {
      this.matches.add({ path: this.path, column: null, ...oversize.line() }, true);
    }
  }

  private message(bytes: Buffer): void {
    // The kind is spelled at a fixed place, which spares parsing messages that will not be used.
    const kind = bytes.toString('latin1', 9, 14);
    if (kind === 'match') this.match(bytes);
    else if (kind === 'begin') this.begin(bytes);
    else if (bytes.includes('"type":"summary"')) this.summarised = true;
  }

  private begin(bytes: Buffer): void {
    this.path = this.name(beginPath(bytes));
    this.skipping = !this.matches.wants(this.path);
  }

  private match(bytes: Buffer): void {
    if (this.skipping) {
      this.matches.seen += 1;
      return;
    }
    const { cut, ...match } = readMatch(bytes);
    this.matches.add({ path: this.path, ...match }, cut);
  }
}

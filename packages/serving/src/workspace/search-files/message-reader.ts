import { LineReader } from '@secateur/base/text/line-reader.ts';
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
  private readonly lines: LineReader;
  private path = '';
  private skipping = false;

  constructor(matches: FirstMatches, name: (printed: string) => string) {
    this.matches = matches;
    this.name = name;
    this.lines = new LineReader(MAX_MESSAGE_BYTES, {
      line: (bytes) => this.message(bytes),
      tooLong: () =>
        new OversizeMessage((line) => {
          if (!this.skipping) this.matches.add({ path: this.path, column: null, ...line }, true);
        }),
    });
  }

  push(chunk: Buffer): void {
    this.lines.push(chunk);
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

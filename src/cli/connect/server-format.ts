/** One server as a client's file has it: what it says, and the very text that says it. */
export interface ListedServer {
  readonly entry: Readonly<Record<string, unknown>>;
  readonly raw: string;
}

/** How a client's file lists servers. Changes touch the named entry only; every other byte stays. */
export interface ServerFormat {
  /** Throws `DomainError` for a file that cannot be read safely. */
  read(text: string, place: ServerPlace): ReadonlyMap<string, ListedServer>;
  /** The text of an entry. */
  write(name: string, entry: Readonly<Record<string, unknown>>): string;
  /** The file with another text for this entry. */
  replace(text: string, place: ServerPlace, named: { name: string; raw: string }): string;
  /** The file, which may be empty, with one entry more. */
  add(text: string, place: ServerPlace, named: { name: string; raw: string }): string;
  remove(text: string, place: ServerPlace, name: string): string;
}

export interface ServerPlace {
  readonly path: string;
  /** Where in the file, if not in its usual place. */
  readonly at?: readonly string[];
}

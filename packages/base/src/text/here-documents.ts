const HERE_DOCUMENT = /<<-?[ \t]{0,9}['"]?(\w{1,60})/;

/** A command line, and the texts of its here-documents. */
export interface HereDocuments {
  readonly command: string;
  readonly documents: readonly string[];
}

/** Separates a command line from its here-documents, whose lines are not commands. */
export function splitHereDocuments(command: string): HereDocuments {
  let end: string | undefined;
  const documents: string[][] = [];
  const lines = command.split('\n').flatMap((line) => {
    if (end !== undefined) {
      const rest = line.trimStart();
      const isLast = rest.startsWith(end);
      const after = isLast ? [rest.slice(end.length)] : [];
      if (isLast) end = undefined;
      else documents.at(-1)?.push(line);
      return after;
    }
    const opener = HERE_DOCUMENT.exec(line);
    end = opener?.[1];
    if (opener !== null) documents.push([]);
    return [opener === null ? line : line.slice(0, opener.index)];
  });
  return { command: lines.join('\n'), documents: documents.map((document) => document.join('\n')) };
}

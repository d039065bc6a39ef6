const HERE_DOCUMENT = /<<-?[ \t]{0,9}['"]?(\w{1,60})/;

/** What is written into a here document is no command. */
export function withoutHereDocuments(command: string): string {
  let end: string | undefined;
  const lines = command.split('\n').flatMap((line) => {
    if (end !== undefined) {
      const rest = line.trimStart();
      const isLast = rest.startsWith(end);
      const after = isLast ? [rest.slice(end.length)] : [];
      if (isLast) end = undefined;
      return after;
    }
    const opener = HERE_DOCUMENT.exec(line);
    end = opener?.[1];
    return [opener === null ? line : line.slice(0, opener.index)];
  });
  return lines.join('\n');
}

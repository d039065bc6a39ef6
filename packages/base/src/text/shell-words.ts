/** A program and its arguments in a command line, without quotes. */
export type Program = readonly string[];

const PIECE =
  /(\s{0,80}(?:&&|\|\||[;\n&()]))|(\s{0,80}\|&?)|((?:\d{0,3}(?:>>?|<)(?:&\d|&-|\s{0,80}[^\s|;&<>]+))|[ \t\r]+|\\\n)|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|(\$\([^()]*\)?|`[^`]*`?)|((?:\\[\s\S]|[^\s|;&()<>'"`$\\])+|[\s\S])/g;
const MAX_COMMAND = 4000;

/**
 * Returns the pipelines of a command line in order, each as a list of programs. Runs nothing. Omits
 * here-documents, redirections and what substitutions would print.
 */
export function pipelinesOf(command: string, maxChars = MAX_COMMAND): Program[][] {
  const pipelines: string[][][] = [[[]]];
  let isInWord = false;
  for (const { kind, text } of piecesOf(splitHereDocuments(command.slice(0, maxChars)).command)) {
    const programs = pipelines.at(-1) ?? [];
    const words = programs.at(-1) ?? [];
    if (kind === 'end') pipelines.push([[]]);
    if (kind === 'pipe') programs.push([]);
    if (kind === 'text') words.push(isInWord ? `${words.pop()}${text}` : text);
    isInWord = kind === 'text';
  }
  return pipelines
    .map((programs) => programs.filter((words) => words.length > 0))
    .filter((programs) => programs.length > 0);
}

export function programName([path = '']: Program): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const PREFIX = new Set(
  'sudo env time command exec nice nohup then do else if ! timeout stdbuf xvfb-run dotenv'.split(' '),
);

/** Returns a program without prefix programs: `sudo -E`, `env A=1`, `timeout 60`. */
export function withoutPrefix(program: Program): Program {
  let at = 0;
  while (at < program.length) {
    const word = program[at] ?? '';
    if (/^\w+=/.test(word)) at += 1;
    else if (PREFIX.has(word)) at = afterPrefix(program, at);
    else break;
  }
  return program.slice(at);
}

function afterPrefix(program: Program, at: number): number {
  let next = at + 1;
  while (/^-|^\d+[smh]?$|^\w+=/.test(program[next] ?? '')) next += 1;
  return next;
}

/** Whether a command line redirects output to a file. `/dev/null` and other descriptors do not count. */
export function redirectsToFile(command: string): boolean {
  for (const { kind, text } of piecesOf(command))
    if (kind === 'space' && /^\d*>/.test(text) && !/>\s*(?:&|\/dev\/(?:null|stdout|stderr)\b)/.test(text))
      return true;
  return false;
}

interface Piece {
  kind: 'end' | 'pipe' | 'space' | 'text';
  text: string;
}

function* piecesOf(line: string): Generator<Piece> {
  for (const [, end, pipe, space, single, double, substitution, plain] of line.matchAll(PIECE)) {
    if (end !== undefined) yield { kind: 'end', text: end };
    else if (pipe !== undefined) yield { kind: 'pipe', text: pipe };
    else if (space !== undefined) yield { kind: 'space', text: space };
    else if (substitution !== undefined) yield { kind: 'text', text: 'x' };
    else yield { kind: 'text', text: single ?? double?.replace(/\\([\\"$`\n])/g, '$1') ?? plain ?? '' };
  }
}

const HERE_DOCUMENT = /<<-?[ \t]{0,9}['"]?(\w{1,60})/;

/** Separates a command line from its here-documents, whose lines are not commands. */
export function splitHereDocuments(command: string): { command: string; documents: readonly string[] } {
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

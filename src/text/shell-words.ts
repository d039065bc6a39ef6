import { splitHereDocuments } from './here-documents.ts';

/** The words of one program of a command line, quotes taken off. */
export type Program = readonly string[];

const PIECE =
  /(\s{0,80}(?:&&|\|\||[;\n&()]))|(\s{0,80}\|&?)|((?:\d{0,3}(?:>>?|<)(?:&\d|&-|\s{0,80}[^\s|;&<>]+))|[ \t\r]+|\\\n)|'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|(\$\([^()]*\)?|`[^`]*`?)|((?:\\[\s\S]|[^\s|;&()<>'"`$\\])+|[\s\S])/g;
const LONGEST_COMMAND = 4000;

/**
 * The pipelines of a command line, each a list of programs, in order. Read for its words only, never run: here-documents, redirections and
 * what a substitution would print are left out.
 */
export function pipelinesOf(command: string, maxChars = LONGEST_COMMAND): Program[][] {
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

/** Takes away what is before a program's name: variables, `sudo`, `if`, `then`, `!`. */
export function withoutPrefix(program: Program): Program {
  const first = program.findIndex(
    (word) => !/^(?:\w+=.*|sudo|env|command|time|nohup|if|then|else|do|while|until|!|\{)$/s.test(word),
  );
  // A variable alone may hold what a later program writes.
  return first === -1 ? program : program.slice(first);
}

/** Whether a command line sends an output into a file; `/dev/null` and other descriptors are not files. */
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

import { splitHereDocuments } from '@secateur/base/text/here-documents.ts';
import { isFields } from '@secateur/base/text/json-value.ts';
import {
  type Program,
  pipelinesOf,
  programName,
  redirectsToFile,
  withoutPrefix,
} from '@secateur/base/text/shell-words.ts';
import { textParts } from './text-slots.ts';
import type { MarkerPlace } from './written-markers.ts';

/** A text that a call would write, or run to write. */
export interface WrittenText {
  readonly text: string;
  readonly place: MarkerPlace;
}

/** Arguments that are run by a shell. */
const COMMAND_KEYS = new Set(['command', 'cmd', 'script', 'commandline']);

/** Arguments that are looked for, replaced or shown to the user, but not written. */
const UNWRITTEN_KEYS = new Set([
  ...['old_string', 'oldstring', 'old_str', 'old_text', 'oldtext', 'search', 'find', 'needle'],
  ...['pattern', 'query', 'q', 'regex', 'filter', 'glob', 'path', 'file_path', 'filepath', 'notebook_path'],
  ...['file', 'uri', 'url', 'prune_id', 'id', 'description', 'prompt', 'question', 'goal', 'reason'],
]);

/** Lists the texts that the arguments of a call would write, by the names of the arguments and, for a shell, by its programs. */
export function writtenTexts(input: unknown): WrittenText[] {
  if (!isFields(input)) return textParts(input).map(fileText);
  return Object.entries(input).flatMap(([key, value]) => {
    const name = key.toLowerCase();
    if (UNWRITTEN_KEYS.has(name)) return [];
    if (COMMAND_KEYS.has(name)) return textParts(value).flatMap((text) => writtenByCommand(text));
    if (typeof value === 'string') return [fileText(value)];
    return Array.isArray(value) ? value.flatMap(writtenTexts) : writtenTexts(value);
  });
}

/** Of a patch only added lines are written. */
function fileText(text: string): WrittenText {
  if (!IS_PATCH.test(text)) return { text, place: 'line' };
  const added = text.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++ '));
  return { text: added.map((line) => line.slice(1)).join('\n'), place: 'line' };
}

const IS_PATCH = /^(?:\*\*\* (?:Begin Patch|Update File|Add File)|@@ |--- )/m;

/** A longer command is read up to here. */
const MAX_COMMAND_CHARS = 1_000_000;
const MAX_NESTED_SHELLS = 3;

/** Lists what a command line would write: its here-documents, and the words of its programs if one of them writes a file. */
function writtenByCommand(given: string, depth = 0): WrittenText[] {
  if (IS_PATCH.test(given) && given.trimStart().startsWith('*** ')) return [fileText(given)];
  const { documents } = splitHereDocuments(given);
  const programs = pipelinesOf(given, MAX_COMMAND_CHARS).flat();
  const isScript = programs.some((program) => INTERPRETER.test(nameIn(program)));
  const inDocuments = documents.map((text) =>
    isScript ? { text, place: 'anywhere' as const } : fileText(text),
  );
  const nested = programs.flatMap((program) => nestedCommands(program, depth));
  const isWriting = redirectsToFile(given) || programs.some((program) => writesFile(program, documents));
  const writing = isWriting ? programs.filter((program) => !isReading(program)) : [];
  // `echo ✂ 36-47` gives a marker in two words.
  const words = writing.flatMap((program) => [...program, program.join(' ')]);
  return [...inDocuments, ...nested, ...words.map((text) => ({ text, place: 'anywhere' as const }))];
}

function nestedCommands(program: Program, depth: number): WrittenText[] {
  const [, ...words] = withoutPrefix(program);
  if (!SHELL.test(nameIn(program)) || depth >= MAX_NESTED_SHELLS) return [];
  return words.filter((word) => !word.startsWith('-')).flatMap((word) => writtenByCommand(word, depth + 1));
}

const SHELL = /^(?:ba|z|da|k|fi)?sh$|^eval$/;
const INTERPRETER =
  /^(?:python|node|perl|ruby|php|deno|bun|lua|tclsh|Rscript|osascript|pwsh|g?awk|m?awk)[\d.]*$/;
/** What a script says that writes a file. */
const SCRIPT_WRITES = /writ|append|open|put|dump|save|replace|copy|>|(?:^|\s)-\w{0,9}i/i;
const WRITERS = new Set(['tee', 'dd', 'sponge', 'ed', 'ex', 'vi', 'vim', 'patch', 'apply_patch', 'xargs']);

/** Programs that look for their words, or recover lines; they write none of them. */
const READERS = new Set('grep egrep fgrep zgrep rg ag ack find fd test [ [[ secateur diff'.split(' '));

function nameIn(program: Program): string {
  return programName(withoutPrefix(program));
}

function writesFile(program: Program, documents: readonly string[]): boolean {
  const name = nameIn(program);
  if (WRITERS.has(name)) return true;
  if (name === 'sed') return program.some((word) => /^(?:-[A-Za-z]*i|--in-place)/.test(word));
  return INTERPRETER.test(name) && [...program, ...documents].some((text) => SCRIPT_WRITES.test(text));
}

/** `sed` without `-i` and with a script that only prints or deletes is a search too. */
function isReading(program: Program): boolean {
  const name = nameIn(program);
  if (name === 'git') return program.includes('grep') || program.includes('log');
  if (name === 'sed' && !writesFile(program, [])) return program.includes('-n');
  return READERS.has(name) || SHELL.test(name);
}

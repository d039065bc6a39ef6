import type { SourceType } from '../ranking/scorer.ts';
import { cleanLine } from './cut/clean-line.ts';
import { declarationAt, isImport } from './cut/code-patterns.ts';

const SAMPLE_CHARS = 40_000;
const LOG_LINE =
  /^\W{0,3}(?:\d{4}[-/]\d\d[-/]\d\d[T ]|\d\d:\d\d:\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d|(?:TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL)\b)/;
const PROSE_LINE = /^(?:#{1,6} |[-*] |\d+\. |> )?["'(*_`]{0,3}\p{L}[^;{}=<>]{30,}[.,:;)\w]$/u;
const CODE_LINE =
  /[;{}]\s*$|^\s*(?:return|if|for|while|else|elif|try|except)\b.*[:{(;]|^\s+[\w.$]+\s*(?:=|\()|=>|::/;

/** What a text without a label is. Code unless its lines look more like a log or like prose. */
export function guessSourceType(text: string): SourceType {
  const lines = text
    .slice(0, SAMPLE_CHARS)
    .split('\n')
    .map((line) => cleanLine(line).slice(0, 240))
    .filter((line) => line.trim() !== '');
  const count = (test: (line: string) => boolean) => lines.filter(test).length;
  const logs = count((line) => LOG_LINE.test(line));
  const prose = count((line) => PROSE_LINE.test(line) || /^#{1,6} /.test(line));
  const code = count((line) => CODE_LINE.test(line) || isImport(line) || declarationAt(line) !== undefined);
  if (logs > lines.length / 3) return 'logs';
  return prose > code && prose > lines.length / 4 ? 'docs' : 'code';
}

const DOCS_NAME = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt|tex|html?)$/i;
const LOGS_NAME = /\.(?:log|out|err)(?:\.\d+)?$/i;
const CODE_NAME =
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|rb|php|c|cc|cpp|cxx|h|hpp|cs|swift|sh|bash|zsh|ps1|lua|pl|ex|exs|hs|ml|sql|vue|svelte|css|scss|json|ya?ml|toml)$/i;

/** The same for a file: its name decides where it is telling. */
export function sourceTypeOfFile(name: string, text: string): SourceType {
  if (DOCS_NAME.test(name)) return 'docs';
  if (LOGS_NAME.test(name)) return 'logs';
  return CODE_NAME.test(name) ? 'code' : guessSourceType(text);
}

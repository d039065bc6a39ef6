import type { Language, LinePattern } from './language.ts';

/** Typical patterns of JavaScript, which occur in TypeScript, too. */
const scriptMarks: readonly RegExp[] = [
  /^ ?(const|let|var) [\w{[][^=\n]*=/,
  /\brequire\(['"][^'"\n]+['"]\)/,
  /^ ?(module\.)?exports(\.\w+)? ?=/,
  /^ ?import [^;\n]* from ['"]/,
  /^ ?export (default|const|function|class|async)\b/,
  /\bfunction ?\w* ?\([^()]*\) ?\{/,
  /=> ?[{(]?/,
  /\bconsole\.\w+\(/,
  /===|!==/,
];

const tagMark = /<[A-Za-z][\w.]*(\s[^<>]*)?\/>|<\/[A-Za-z][\w.]*>/;

const BEFORE = '^ ?(?:export )?(?:default )?(?:declare )?';

/** Matches words that may precede the name of a member, but not words that begin a statement. */
const MEMBER = String.raw`^ (?:(?:public|private|protected|static|abstract|override|readonly|async|get|set|declare) )*\*?(?<name>(?!(?:if|for|while|switch|catch|return|function|await|typeof|new|else|do|throw|with|super|import|case|in|of|yield|delete |void)\b)[#\w$]+|\[[\w.]+\])\?? ?(?:<[^()]*>)?`;

/** A list in parentheses that ends on its line, with parentheses nested up to three levels. */
const PARAMETERS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;

const scriptPatterns: readonly LinePattern[] = [
  { kind: 'import', match: /^ ?import\b(?! ?\()(?!\.)/ },
  { kind: 'import', match: /^ ?(?:const|let|var) [\w{},: $]+= ?(?:\w+\()?require\(/ },
  { kind: 'import', match: /^ ?\} ?from ['"]/ },
  { kind: 're-export', match: /^ ?export (?:type )?(?:\*|\{)(?: ?as (?<name>[\w$]+))?/ },
  { kind: 'function', match: new RegExp(String.raw`${BEFORE}(?:async )?function\b ?\*? ?(?<name>[\w$]*)`) },
  { kind: 'class', match: new RegExp(String.raw`${BEFORE}(?:abstract )?class (?<name>[\w$]+)`) },
  {
    kind: { interface: 'interface', enum: 'enum', namespace: 'namespace', module: 'namespace' },
    match: new RegExp(
      String.raw`${BEFORE}(?:const )?(?<word>interface|enum|namespace|module) (?<name>[\w$.]+|['"][^'"]+['"]) ?(?:[<{]|extends\b|$)`,
    ),
  },
  { kind: 'type', match: new RegExp(String.raw`${BEFORE}type (?<name>[\w$]+) ?(?:<.*)?=`) },
  {
    kind: 'function',
    match:
      /^ ?(?:export )?(?:const|let|var) (?<name>[\w$]+) ?(?::[^=]+)?= ?(?:async ?)?(?:function\b|(?:<[^=()]*> ?)?\(.*\) ?(?::[^=)]*)?=>|[\w$]+ ?=>)/,
  },
  {
    kind: 'function',
    match:
      /^ ?(?:export )?(?:const|let|var) (?<name>[\w$]+) ?(?::[^=]+)?= ?(?:async ?)?(?:<[^=]*> ?)?\([^()]*$/,
    closes: /^ ?\}? ?\).*=>/,
  },
  {
    kind: { const: 'constant', let: 'variable', var: 'variable' },
    match: /^(?:export )?(?:declare )?(?<word>const|let|var) (?<name>[\w$]+)/,
  },
  { kind: 'constant', match: /^ export (?:declare )?const (?<name>[\w$]+)/ },
  { kind: 'default', match: /^ ?export (?:default\b|=)/ },
  { kind: 'default', match: /^ ?(?:module\.)?exports(?:\.(?<name>[\w$]+))? ?=[^=]/ },
  { kind: 'constructor', match: /^ (?:(?:public|private|protected) )?(?<name>constructor) ?\(/ },
  { kind: 'method', match: new RegExp(String.raw`${MEMBER}${PARAMETERS} ?(?::(?:(?!=>).)+)?\{ ?\}? ?$`) },
  {
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}\((?:[^()?]|\?:|\((?:[^()?]|\?:)*\))*\) ?:[^=]+; ?$`),
  },
  {
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}\((?:[^()]*[,{])? ?$`),
    closes: /^ ?\}? ?(?:: ?[^()]*)?\) ?(?:\{|:.*[{;]) ?$/,
  },
  {
    kind: 'property',
    match:
      /^ (?:(?:public|private|protected|static|abstract|override|readonly|declare|accessor) )+(?<name>[#\w$]+)[?!]? ?[:=;]/,
  },
];

/** Includes JSX, because the parser reads tags in every JavaScript file. */
export const javascript: Language = {
  interpreters: ['node', 'nodejs'],
  patterns: scriptPatterns,
  hints: [...scriptMarks, tagMark],
};

export const typescript: Language = {
  interpreters: ['tsx', 'ts-node', 'deno', 'bun'],
  patterns: scriptPatterns,
  // TypeScript matches all patterns of JavaScript and, in addition, some of its own.
  hints: [
    ...scriptMarks,
    /^ ?(export )?(declare )?(interface|type|enum|namespace|abstract class) \w+/,
    /^ ?import type /,
    /[\w)\]]\??: ?(string|number|boolean|unknown|void|Promise<|readonly )/,
    /\b(private|public|protected|readonly) \w+[?!]? ?[:(]/,
    /\bas const\b/,
  ],
};

export const tsx: Language = {
  patterns: scriptPatterns,
  // Only TSX contains both types and tags. Tags without types may be JavaScript.
  hints: [...typescript.hints, tagMark],
};

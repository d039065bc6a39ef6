import type { LinePattern } from '../../structure/pattern.ts';

const BEFORE = String.raw`^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?`;

/** What may stand before a member's name, and names that are no members but begin a statement. */
const MEMBER = String.raw`^\s+(?:(?:public|private|protected|static|abstract|override|readonly|async|get|set|declare)\s+)*\*?(?<name>(?!(?:if|for|while|switch|catch|return|function|await|typeof|new|else|do|throw|with|super|import|case|in|of|yield|delete\s|void)\b)[#\w$]+|\[[\w.]+\])\??\s*(?:<[^()]*>)?\(`;

export const scriptPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^\s*import\b(?!\s*\()(?!\.)/ },
  { role: 'import', kind: 'import', match: /^\s*(?:const|let|var)\s+[\w{},:\s$]+=\s*(?:\w+\()?require\(/ },
  { role: 'import', kind: 'import', match: /^\s*\}\s*from\s+['"]/ },
  {
    role: 'declaration',
    kind: 're-export',
    match: /^\s*export\s+(?:type\s+)?(?:\*|\{)(?:\s*as\s+(?<name>[\w$]+))?/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match: new RegExp(String.raw`${BEFORE}(?:async\s+)?function\b\s*\*?\s*(?<name>[\w$]*)`),
  },
  {
    role: 'declaration',
    kind: 'class',
    match: new RegExp(String.raw`${BEFORE}(?:abstract\s+)?class\s+(?<name>[\w$]+)`),
  },
  {
    role: 'declaration',
    kind: { interface: 'interface', enum: 'enum', namespace: 'namespace', module: 'namespace' },
    match: new RegExp(
      String.raw`${BEFORE}(?:const\s+)?(?<word>interface|enum|namespace|module)\s+(?<name>[\w$.]+|['"][^'"]+['"])\s*(?:[<{]|extends\b|$)`,
    ),
  },
  {
    role: 'declaration',
    kind: 'type',
    match: new RegExp(String.raw`${BEFORE}type\s+(?<name>[\w$]+)\s*(?:<.*)?=`),
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:function\b|(?:<[^=]*>\s*)?\(.*\)\s*(?::[^=]+)?=>|[\w$]+\s*=>)/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:<[^=]*>\s*)?\([^()]*$/,
    closes: /^\s*\}?\s*\).*=>/,
  },
  {
    role: 'declaration',
    kind: { const: 'constant', let: 'variable', var: 'variable' },
    match: /^(?:export\s+)?(?:declare\s+)?(?<word>const|let|var)\s+(?<name>[\w$]+)/,
  },
  {
    role: 'declaration',
    kind: 'constant',
    match: /^\s+export\s+(?:declare\s+)?const\s+(?<name>[\w$]+)/,
  },
  { role: 'declaration', kind: 'default', match: /^\s*export\s+(?:default\b|=)/ },
  { role: 'declaration', kind: 'default', match: /^\s*(?:module\.)?exports(?:\.(?<name>[\w$]+))?\s*=[^=]/ },
  {
    role: 'declaration',
    kind: 'constructor',
    match: /^\s+(?:(?:public|private|protected)\s+)?(?<name>constructor)\s*\(/,
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}.*\)\s*(?::(?:(?!=>).)+)?\{\s*\}?\s*$`),
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}(?:[^?]|\?:)*\)\s*:[^=]+;\s*$`),
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}(?:[^()]*,|[^()]*\{)?\s*$`),
    closes: /^\s*\}?\s*(?::\s*[^()]*)?\)\s*(?:\{|:.*[{;])\s*$/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^\s+(?:(?:public|private|protected|static|abstract|override|readonly|declare|accessor)\s+)+(?<name>[#\w$]+)[?!]?\s*[:=;]/,
  },
];

import type { LinePattern } from '../../structure/pattern.ts';

const BEFORE = '^ ?(?:export )?(?:default )?(?:declare )?';

/** What may stand before a member's name, and names that are no members but begin a statement. */
const MEMBER = String.raw`^ (?:(?:public|private|protected|static|abstract|override|readonly|async|get|set|declare) )*\*?(?<name>(?!(?:if|for|while|switch|catch|return|function|await|typeof|new|else|do|throw|with|super|import|case|in|of|yield|delete |void)\b)[#\w$]+|\[[\w.]+\])\?? ?(?:<[^()]*>)?`;

/** A list in brackets that closes on its line; a bracket inside one inside it is as deep as one looks. */
const PARAMETERS = String.raw`\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)`;

export const scriptPatterns: readonly LinePattern[] = [
  { role: 'import', kind: 'import', match: /^ ?import\b(?! ?\()(?!\.)/ },
  { role: 'import', kind: 'import', match: /^ ?(?:const|let|var) [\w{},: $]+= ?(?:\w+\()?require\(/ },
  { role: 'import', kind: 'import', match: /^ ?\} ?from ['"]/ },
  {
    role: 'declaration',
    kind: 're-export',
    match: /^ ?export (?:type )?(?:\*|\{)(?: ?as (?<name>[\w$]+))?/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match: new RegExp(String.raw`${BEFORE}(?:async )?function\b ?\*? ?(?<name>[\w$]*)`),
  },
  {
    role: 'declaration',
    kind: 'class',
    match: new RegExp(String.raw`${BEFORE}(?:abstract )?class (?<name>[\w$]+)`),
  },
  {
    role: 'declaration',
    kind: { interface: 'interface', enum: 'enum', namespace: 'namespace', module: 'namespace' },
    match: new RegExp(
      String.raw`${BEFORE}(?:const )?(?<word>interface|enum|namespace|module) (?<name>[\w$.]+|['"][^'"]+['"]) ?(?:[<{]|extends\b|$)`,
    ),
  },
  {
    role: 'declaration',
    kind: 'type',
    match: new RegExp(String.raw`${BEFORE}type (?<name>[\w$]+) ?(?:<.*)?=`),
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^ ?(?:export )?(?:const|let|var) (?<name>[\w$]+) ?(?::[^=]+)?= ?(?:async ?)?(?:function\b|(?:<[^=()]*> ?)?\(.*\) ?(?::[^=)]*)?=>|[\w$]+ ?=>)/,
  },
  {
    role: 'declaration',
    kind: 'function',
    match:
      /^ ?(?:export )?(?:const|let|var) (?<name>[\w$]+) ?(?::[^=]+)?= ?(?:async ?)?(?:<[^=]*> ?)?\([^()]*$/,
    closes: /^ ?\}? ?\).*=>/,
  },
  {
    role: 'declaration',
    kind: { const: 'constant', let: 'variable', var: 'variable' },
    match: /^(?:export )?(?:declare )?(?<word>const|let|var) (?<name>[\w$]+)/,
  },
  {
    role: 'declaration',
    kind: 'constant',
    match: /^ export (?:declare )?const (?<name>[\w$]+)/,
  },
  { role: 'declaration', kind: 'default', match: /^ ?export (?:default\b|=)/ },
  { role: 'declaration', kind: 'default', match: /^ ?(?:module\.)?exports(?:\.(?<name>[\w$]+))? ?=[^=]/ },
  {
    role: 'declaration',
    kind: 'constructor',
    match: /^ (?:(?:public|private|protected) )?(?<name>constructor) ?\(/,
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}${PARAMETERS} ?(?::(?:(?!=>).)+)?\{ ?\}? ?$`),
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}\((?:[^()?]|\?:|\((?:[^()?]|\?:)*\))*\) ?:[^=]+; ?$`),
  },
  {
    role: 'declaration',
    kind: 'method',
    match: new RegExp(String.raw`${MEMBER}\((?:[^()]*[,{])? ?$`),
    closes: /^ ?\}? ?(?:: ?[^()]*)?\) ?(?:\{|:.*[{;]) ?$/,
  },
  {
    role: 'declaration',
    kind: 'property',
    match:
      /^ (?:(?:public|private|protected|static|abstract|override|readonly|declare|accessor) )+(?<name>[#\w$]+)[?!]? ?[:=;]/,
  },
];

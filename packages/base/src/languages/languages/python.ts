import type { Language } from './language.ts';

export const python: Language = {
  interpreters: ['python', 'python3', 'python2'],
  patterns: [
    { kind: 'import', match: /^ ?(?:from [\w.]+ import\b|import [\w.]+(?: as \w+)? ?(?:,|#|$))/ },
    { kind: 'function', match: /^(?:async )?def (?<name>\w+)/ },
    { kind: 'method', match: /^ (?:async )?def (?<name>\w+)/ },
    { kind: 'class', match: /^ ?class (?<name>\w+) ?[(:[]/ },
    { kind: 'type', match: /^ ?type (?<name>\w+) ?(?:\[.*\])? ?=/ },
    { kind: 'constant', match: /^(?<name>[A-Z][A-Z0-9_]+|__all__|__version__) ?(?::[^=]+)?=[^=]/ },
    { kind: 'variable', match: /^(?<name>[A-Za-z_]\w*) ?: ?[\w"'][^=]*=[^=]/ },
  ],
  hints: [
    /^ ?def \w+ ?\(.*[:,(] ?(?:$|#)/,
    /^ ?class \w+ ?(\([^)]*\))?: ?$/,
    /^ ?(from [\w.]+ import |import [\w.]+( as \w+)? ?$)/,
    /^ ?(if|elif|for|while|with|try|except|else)\b[^{;]*: ?(?:$|#)/,
    /^ ?@\w[\w.]*(\(.*\))? ?$/,
    /\bself\.\w+/,
    /"""|'''/,
  ],
};

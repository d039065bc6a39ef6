import type { DeclarationKind } from '@secateur/base/languages/structure.ts';
import type { Declaration } from '../../outline.ts';
import {
  childOfType,
  declare,
  declareHolder,
  documented,
  field,
  fieldText,
  importOf,
  readInside,
  type Statement,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';
/** Replaces words that the grammar does not know by spaces: macro calls, `sending`, `nonisolated(unsafe)`. */
export function maskNewWords(text: string): string {
  return text
    .replace(MACRO_CALL, ' ')
    .replace(SENDING, (_, before: string, word: string) => before + ' '.repeat(word.length))
    .replace(UNSAFE, (word) => ' '.repeat(word.length));
}

/**
 * Matches the `#` of a macro call such as `#expect(…)`, which is then parsed as a function call. Directives
 * and known macros do not match.
 */
const MACRO_CALL =
  /#(?=(?!(?:if|elseif|else|endif|available|unavailable|selector|keyPath|file|fileID|filePath|line|column|function|dsohandle|sourceLocation|error|warning|colorLiteral|fileLiteral|imageLiteral|externalMacro)\b)[a-zA-Z]\w*\s*[(<{])/g;

const SENDING = /([:>]\s*)(sending\s+)(?=[\w@([])/g;

const UNSAFE = /(?<=\bnonisolated)\(unsafe\)/g;

export const swiftCode: TreeCode = {
  read: (source) => ({
    imports: source.root.namedChildren
      .filter((node) => node.type === 'import_declaration')
      .map((node) => importOf(node, node.lastNamedChild?.text ?? '')),
    declarations: readInside(source.root, { source }),
  }),
  mask: maskNewWords,
  docs: { opens: /^(\/\/\/|\/\*\*)/ },
  // In Swift, `private` and `fileprivate` hide a declaration from other files; `private(set)` hides only the
  // setter.
  isExported: ({ node }) =>
    childOfType(node, 'modifiers')?.namedChildren.every(
      (modifier) => !/^(private|fileprivate)$/.test(modifier.text),
    ) ?? true,
  rules: {
    class_declaration: readType,
    protocol_declaration: readType,
    function_declaration: readFunction,
    protocol_function_declaration: readFunction,
    init_declaration: readFunction,
    subscript_declaration: (statement) => {
      const body = childOfType(statement.node, 'computed_property');
      return declare(statement, { name: 'subscript', kind: 'method', body });
    },
    property_declaration: readProperty,
    protocol_property_declaration: readProperty,
    typealias_declaration: 'type',
    associatedtype_declaration: 'type',
    macro_declaration: 'macro',
    enum_entry: readCases,
  },
};

const TYPE_KINDS: Readonly<Record<string, DeclarationKind>> = {
  class: 'class',
  actor: 'class',
  struct: 'struct',
  enum: 'enum',
  extension: 'impl',
  protocol: 'interface',
};

function readType(statement: Statement): Declaration {
  const word = childOfType(statement.node, ...Object.keys(TYPE_KINDS))?.type ?? 'class';
  const kind = TYPE_KINDS[word] ?? 'class';
  const isCase = ({ node }: Statement) => node.type === 'enum_entry';
  return declareHolder(statement, {
    kind,
    showsBody: (body) => kind === 'enum' && documented(body, statement).every(isCase),
  });
}

function readFunction(statement: Statement): Declaration {
  const { node, holder } = statement;
  const isInit = childOfType(node, 'init') !== null;
  const plainKind = holder === undefined ? 'function' : 'method';
  // In `static func + (…)` the name is the operator.
  const name = fieldText(node, 'name') || (childOfType(node, 'func')?.nextSibling?.text ?? '');
  return declare(statement, isInit ? { name: 'init', kind: 'constructor' } : { name, kind: plainKind });
}

function readProperty(statement: Statement): Declaration[] {
  const { node, holder } = statement;
  const names = node.childrenForFieldName('name').filter((name) => name.type === 'pattern');
  const code = field(node, 'computed_value') ?? childOfType(node, 'willset_didset_block');
  const before = childOfType(node, 'type_annotation') ?? names.at(-1) ?? null;
  const plainKind = /(^|\s)let\s/.test(node.text.slice(0, 200)) ? 'constant' : 'variable';
  const kind = holder === undefined ? plainKind : 'property';
  const end = code?.startIndex ?? valueEnd(field(node, 'value'), before, node);
  return names.map((name) =>
    declare(statement, { name: (field(name, 'bound_identifier') ?? name).text, kind, end, body: code }),
  );
}

/** Reads the cases of an enum: `case a, b(Int)` declares two. */
function readCases(statement: Statement): Declaration[] {
  const names = statement.node
    .childrenForFieldName('name')
    .filter((name) => name.type === 'simple_identifier');
  return names.map(({ text: name }) => declare(statement, { kind: 'case', name, exported: true }));
}

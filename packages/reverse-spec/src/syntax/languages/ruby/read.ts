import type { Node } from 'web-tree-sitter';
import type { Declaration, ImportStatement } from '../../outline.ts';
import {
  childOfType,
  declare,
  documented,
  field,
  fieldText,
  type Holder,
  importOf,
  readStatement,
  type Statement,
  statementsIn,
  type TreeCode,
  valueEnd,
} from '../../tree/source.ts';

/** Matches words that make the following methods callable only from methods of the same class. */
const HIDES = /^(?:private|protected)/;
const WORDS: ReadonlySet<string> = new Set(['private', 'protected', 'public', 'module_function']);

/** Reads a body and applies visibility: `private` alone hides all following methods, `private :a` only `a`. */
function readVisible(statements: readonly Statement[]): Declaration[] {
  const found: Declaration[] = [];
  const visible = new Map<string, boolean>();
  let isHiding = false;
  for (const statement of statements) {
    const { node } = statement;
    if (node.type === 'identifier' && WORDS.has(node.text)) {
      isHiding = HIDES.test(node.text);
      continue;
    }
    const word = node.type === 'call' ? fieldText(node, 'method') : '';
    if (WORDS.has(word) || word.startsWith('private_')) found.push(...readMarked(statement, word, visible));
    // The body of `class << self` begins as public.
    else found.push(...hide(readStatement(statement), isHiding && node.type !== 'singleton_class'));
  }
  return found.map((each) => {
    const exported = visible.get(each.name);
    return exported === undefined ? each : { ...each, exported };
  });
}

/** Reads `private def f`, `private :f, :g`, `public :f`, `private_class_method :h` and `private_constant :X`. */
function readMarked(statement: Statement, word: string, visible: Map<string, boolean>): Declaration[] {
  const { node } = statement;
  const isPrivate = HIDES.test(word);
  const prefix = word === 'private_class_method' ? 'self.' : '';
  return (field(node, 'arguments')?.namedChildren ?? []).flatMap((argument) => {
    if (argument.type === 'simple_symbol') visible.set(prefix + argument.text.slice(1), !isPrivate);
    return hide(readStatement({ ...statement, node: argument, first: node }), isPrivate, true);
  });
}

/** Hides declarations. `private` alone hides only instance methods and attributes. */
function hide(declarations: Declaration[], isHiding: boolean, isMarked = false): Declaration[] {
  if (!isHiding) return declarations;
  return declarations.map((each) => {
    const isHidden =
      isMarked || ((each.kind === 'method' || each.kind === 'property') && !each.name.startsWith('self.'));
    return isHidden ? { ...each, exported: false } : each;
  });
}

const BRANCH = /^(?:begin|if|unless|then|else|elsif|rescue|ensure|case|when|if_modifier|unless_modifier)$/;

export const rubyCode: TreeCode = {
  read: (source) => {
    const statements = statementsIn(source.root, { source });
    return {
      imports: statements.flatMap(({ node }) => readRequire(node)),
      declarations: readVisible(statements),
    };
  },
  // Declarations inside `begin … rescue LoadError` or `if` still belong to the file.
  opens: ({ node }) => BRANCH.test(node.type),
  isExported: () => true,
  rules: {
    module: (statement) => readContainer(statement, 'namespace'),
    class: (statement) => readContainer(statement, 'class'),
    // Members of `class << self` belong to the class itself, including attributes and constants.
    singleton_class: (statement) =>
      readVisible(bodyStatements(statement)).map((each) => ({ ...each, name: `self.${each.name}` })),
    method: readMethod,
    singleton_method: readMethod,
    assignment: readConstant,
    call: readCall,
    alias: (statement) => named(statement, fieldText(statement.node, 'name').replace(/^:/, '')),
  },
};

/** Returns the statements of a class. In the tree, a comment above the first one is outside the class body. */
function bodyStatements({ source, node }: Statement): Statement[] {
  const place = { source, holder: IN_CLASS };
  return documented(node, place).flatMap(({ node: child, doc }) => {
    if (child.type !== 'body_statement') return [];
    return statementsIn(child, place).map((each, index) =>
      index === 0 ? { ...each, doc: each.doc ?? doc } : each,
    );
  });
}

/** Holder for all class bodies, so that functions in them count as methods. */
const IN_CLASS: Holder = { kind: 'class', name: '', isOpen: true };

const HELD_KINDS: ReadonlySet<string> = new Set(['class', 'namespace', 'constant']);

/** Reads a class or module. A class without methods that only contains types and constants counts as a namespace. */
function readContainer(statement: Statement, kind: 'class' | 'namespace'): Declaration {
  const { node } = statement;
  const superclass = field(node, 'superclass');
  const members = readVisible(bodyStatements(statement));
  const isOpened =
    superclass === null && members.length > 0 && members.every((each) => HELD_KINDS.has(each.kind));
  return declare(asItself(statement), {
    kind: isOpened ? 'namespace' : kind,
    end: (superclass ?? field(node, 'name'))?.endIndex,
    members,
  });
}

/** Returns a statement whose text begins at its own node, after a `private` before it. */
function asItself(statement: Statement): Statement {
  return { ...statement, first: statement.node };
}

function readMethod(statement: Statement): Declaration {
  const { node, holder } = statement;
  const name = fieldText(node, 'name');
  const object = field(node, 'object');
  const plainKind = holder === undefined ? 'function' : 'method';
  return declare(statement, {
    name: object === null ? name : `${object.text}.${name}`,
    kind: name === 'initialize' ? 'constructor' : plainKind,
    end: (field(node, 'parameters') ?? field(node, 'name'))?.endIndex,
  });
}

/** Calls whose block contains the methods of a new type. Methods in other blocks have no owner. */
const MAKES_TYPE = /^(?:::)?(?:(?:Struct|Class|Module)\.new|Data\.define)\b/;

function readConstant(statement: Statement): Declaration[] {
  const { source, node } = statement;
  const name = field(node, 'left');
  const value = field(node, 'right');
  if (name?.type !== 'constant') return [];
  const block = value && field(value, 'block');
  const body = block && MAKES_TYPE.test(value?.text ?? '') ? childOfType(block, 'body_statement') : null;
  return [
    declare(asItself(statement), {
      name: name.text,
      kind: 'constant',
      end: block?.startIndex ?? valueEnd(value, name, node),
      body: block,
      members: body === null ? [] : readVisible(documented(body, { source, holder: IN_CLASS })),
    }),
  ];
}

const ATTRIBUTES: ReadonlySet<string> = new Set(['attr_reader', 'attr_writer', 'attr_accessor', 'attr']);
const DEFINERS: ReadonlySet<string> = new Set(['define_method', 'alias_method', 'define_singleton_method']);
const DELEGATORS = /^(?:def_(?:instance_|single_)?delegators|delegate)$/;

function readCall(statement: Statement): Declaration[] {
  const word = fieldText(statement.node, 'method');
  const symbols = symbolsOf(statement.node);
  if (ATTRIBUTES.has(word)) return symbols.map((name) => ({ ...named(statement, name), kind: 'property' }));
  // In `def_delegators :@target, :a, :b`, the first argument is the object that has the methods.
  if (DELEGATORS.test(word))
    return symbols.slice(word === 'delegate' ? 0 : 1).map((name) => named(statement, name));
  const [first] = symbols;
  return DEFINERS.has(word) && first !== undefined ? [named(statement, first)] : [];
}

function named(statement: Statement, name: string): Declaration {
  return declare(asItself(statement), { name, kind: 'method', body: field(statement.node, 'block') });
}

function symbolsOf(call: Node): string[] {
  const list = field(call, 'arguments');
  return list === null
    ? []
    : list.namedChildren.flatMap((child) => (child.type === 'simple_symbol' ? [child.text.slice(1)] : []));
}

function readRequire(node: Node): ImportStatement[] {
  if (node.type !== 'call' || !/^(require|require_relative|load|autoload)$/.test(fieldText(node, 'method')))
    return [];
  const content = field(node, 'arguments')?.descendantsOfType('string_content')[0];
  return content === undefined ? [] : [importOf(node, content.text, symbolsOf(node))];
}

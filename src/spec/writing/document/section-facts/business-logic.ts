import { posix } from 'node:path';
import { grouped } from '../../../../runtime/grouped.ts';
import type { BodyFact } from '../../../../syntax/body-facts.ts';
import type { DependencyEdge, SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks } from '../markdown.ts';
import { linkedName, type SourcePlace } from '../source-link.ts';

interface Declared extends SourcePlace {
  name: string;
  /** The type or function it belongs to; empty at the top of a file. */
  owner: string;
  /** Inside another function: nobody's method. */
  isLocal: boolean;
  isExported: boolean;
}

interface Caller {
  caller: Declared;
  called: Declared[];
}

const MAX_CALLERS = 40;
const MAX_CALLED = 8;

/** Which functions of the module call which others of it: exported callers first, each once, with its lines. */
export function renderBusinessLogic(facts: SpecFacts, words: Words): string {
  const callers = callersIn(facts, declarationsIn(facts));
  const link = (each: Declared) => linkedName(facts, each.name, each);
  const shown = callers.slice(0, MAX_CALLERS).map(({ caller, called }) => {
    const more = called.length > MAX_CALLED ? [`… +${called.length - MAX_CALLED}`] : [];
    const list = [...called.slice(0, MAX_CALLED).map(link), ...more].join(words.listComma);
    return `- ${words.facts.calls(link(caller), list)}`;
  });
  const left = callers.length - MAX_CALLERS;
  return blocks(shown.join('\n'), left > 0 ? words.facts.more(left) : '');
}

/** The same, file by file. */
export function callsBetweenFiles(facts: SpecFacts): DependencyEdge[] {
  const edges = callersIn(facts, declarationsIn(facts)).flatMap(({ caller, called }) =>
    called.filter(({ path }) => path !== caller.path).map(({ path }) => ({ from: caller.path, to: path })),
  );
  return [...new Map(edges.map((edge) => [`${edge.from}\0${edge.to}`, edge])).values()];
}

function callersIn(facts: SpecFacts, declared: readonly Declared[]): Caller[] {
  const bySimpleName = grouped(declared.map((each) => [simple(each.name), each]));
  const sees = visibilityIn(facts);
  const callers = declared.flatMap((caller) => {
    const calls = (facts.bodies.get(caller.path)?.facts ?? []).filter(
      ({ kind, owner }) => kind === 'call' && owner === caller.name,
    );
    const called = calls.flatMap((call) => {
      const others = (bySimpleName.get(call.name) ?? []).filter(
        (each) => each !== caller && sees(caller.path, each.path),
      );
      return meantBy(call, others, caller);
    });
    return called.length === 0 ? [] : [{ caller, called: [...new Set(called)] }];
  });
  return callers.sort((one, other) => Number(other.caller.isExported) - Number(one.caller.isExported));
}

/** Its own file, files it imports, and files beside it where a folder is one package. */
function visibilityIn({ dependencies }: SpecFacts): (from: string, to: string) => boolean {
  const edges = new Set(dependencies.internal.map(({ from, to }) => `${from}\0${to}`));
  return (from, to) =>
    from === to ||
    edges.has(`${from}\0${to}`) ||
    (SHARED_FOLDER.test(from) && posix.dirname(from) === posix.dirname(to));
}

const SHARED_FOLDER = /\.(?:go|java|kts?|swift|cs|rb|php|cc?|cpp|hh?|hpp)$/;

/** What stands before the called name: nothing, `this`, a type, a variable. */
function receiverIn({ text, name }: BodyFact): string {
  return text.slice(0, text.lastIndexOf(name)).replace(/[?!]?(?:\.|::|->)$/, '');
}

const OWN_OBJECT = /^(?:this|self|super|super\(\)|cls|\$this|static|parent|Self)$/;
/** A method so called proves nothing about what it is called on. */
const ANY_TYPE_HAS =
  /^(?:len|less|swap|string|toString|equals|hashCode|error|read|write|close|open|end|get|set|add|push|pop|next|kill|start|stop|run)$/i;
/** Objects every program has: what they do is not the module's. */
const RUNTIME_OBJECT =
  /^(?:process|console|JSON|Math|Object|Array|Promise|Reflect|globalThis|window|document)$/;

/** The nearest one it can be, if there is only one: a name that may mean several proves nothing. */
function meantBy(call: BodyFact, others: readonly Declared[], caller: Declared): Declared[] {
  const receiver = receiverIn(call);
  const isNamed = ({ owner }: Declared) => simple(owner).toLowerCase() === receiver.toLowerCase();
  const needsProof = receiver !== '' && !OWN_OBJECT.test(receiver) && ANY_TYPE_HAS.test(call.name);
  const possible = others.filter((each) => canMean(receiver, each, caller) && (!needsProof || isNamed(each)));
  const own = OWN_OBJECT.test(receiver) ? possible.filter((each) => each.owner === caller.owner) : [];
  const near = possible.filter(({ path }) => path === caller.path);
  const found = [own, near, possible].find((some) => some.length > 0) ?? [];
  return found.length === 1 ? [...found] : [];
}

function canMean(receiver: string, { owner, isLocal }: Declared, caller: Declared): boolean {
  const isAround = caller.name === owner || caller.name.startsWith(`${owner}.`);
  if (receiver === '') return owner === '' || isAround;
  return !isLocal && !RUNTIME_OBJECT.test(receiver);
}

function simple(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** Functions and methods of all files, private ones too; overloads are one, told by the longest. */
function declarationsIn({ files, bodies }: SpecFacts): Declared[] {
  return files.flatMap(({ skeleton }) => {
    const path = skeleton.filePath;
    const lines = new Set(
      skeleton.exports.flatMap((each) => [each, ...(each.members ?? [])]).map(({ startLine }) => startLine),
    );
    const functions = bodies.get(path)?.functions ?? [];
    const names = new Set(functions.map(({ name }) => name));
    const byName = new Map<string, Declared>();
    for (const each of functions) {
      const owner = each.name.slice(0, -simple(each.name).length - 1);
      const known = byName.get(each.name);
      const isExported = lines.has(each.startLine) || known?.isExported === true;
      const longest = known !== undefined && lengthOf(known) >= lengthOf(each) ? known : each;
      byName.set(each.name, { ...longest, path, owner, isLocal: names.has(owner), isExported });
    }
    return [...byName.values()];
  });
}

function lengthOf({ startLine, endLine }: Pick<SourcePlace, 'startLine' | 'endLine'>): number {
  return endLine - startLine;
}

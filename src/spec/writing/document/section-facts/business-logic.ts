import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words/words-table.ts';
import { inlineCode } from '../markdown.ts';
import { linkTo } from '../source-link.ts';

interface Declared {
  name: string;
  path: string;
  startLine: number;
  endLine: number;
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
  const declared = declarationsIn(facts);
  const callers = callersIn(facts, declared);
  const shown = callers.slice(0, MAX_CALLERS).map(({ caller, called }) => {
    const names = called
      .slice(0, MAX_CALLED)
      .map((each) => `${inlineCode(each.name)} (${linkTo(facts, each.path, each)})`);
    const more = called.length > MAX_CALLED ? [`… +${called.length - MAX_CALLED}`] : [];
    const list = [...names, ...more].join(words.listComma);
    return `- ${words.facts.calls(`${inlineCode(caller.name)} (${linkTo(facts, caller.path, caller)})`, list)}`;
  });
  const left = callers.length - MAX_CALLERS;
  return [...shown, ...(left > 0 ? [words.facts.more(left)] : [])].join('\n');
}

function callersIn(facts: SpecFacts, declared: readonly Declared[]): Caller[] {
  const bySimpleName = new Map<string, Declared[]>();
  for (const each of declared) {
    const name = simple(each.name);
    bySimpleName.set(name, [...(bySimpleName.get(name) ?? []), each]);
  }
  const callers = declared.flatMap((caller) => {
    const calls = (facts.bodies.get(caller.path)?.facts ?? []).filter(
      ({ kind, owner }) => kind === 'call' && owner === caller.name,
    );
    const called = new Set(calls.flatMap(({ name }) => meantBy(bySimpleName.get(name) ?? [], caller)));
    return called.size === 0 ? [] : [{ caller, called: [...called] }];
  });
  return callers.sort((one, other) => Number(other.caller.isExported) - Number(one.caller.isExported));
}

/** The one in the same file, else the only one there is; a name several files declare proves nothing. */
function meantBy(candidates: readonly Declared[], caller: Declared): Declared[] {
  const others = candidates.filter((each) => each !== caller);
  const near = others.filter(({ path }) => path === caller.path);
  const found = near.length > 0 ? near : others;
  return found.length === 1 ? found : [];
}

function simple(name: string): string {
  return name.split('.').at(-1) ?? name;
}

/** Functions and methods of all files, private ones too. */
function declarationsIn({ files, bodies }: SpecFacts): Declared[] {
  return files.flatMap(({ skeleton }) => {
    const path = skeleton.filePath;
    const lines = new Set(
      skeleton.exports.flatMap((each) => [each, ...(each.members ?? [])]).map(({ startLine }) => startLine),
    );
    const functions = bodies.get(path)?.functions ?? [];
    return functions.map((each) => ({ ...each, path, isExported: lines.has(each.startLine) }));
  });
}

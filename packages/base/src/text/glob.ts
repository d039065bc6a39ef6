/**
 * Returns a function that matches paths with a glob: `*` and `?` inside a name, `**` over folders, `{a,b}`.
 * Uses no regular expression, because a few stars could keep one busy for hours. Here only the last star is
 * ever retried.
 */
export function matcherOf(glob: string): (path: string) => boolean {
  const plain = glob.replace(/^\.?\//, '').replace(/(?<!\/)\/+$/, '');
  // A pattern without `/` matches a name in any folder. A folder matches everything in it.
  const rooted = plain.includes('/') ? plain : `**/${plain}`;
  const patterns = alternatives(rooted)
    .flatMap((each) => [each, `${each}/**`])
    .map((each) => each.split('/'));
  const isSameName = (part: string, name: string) => matches([...part], [...name], LETTERS);
  return (path) => {
    const names = path.split('/');
    const rules = { isStar: (part: string) => part === '**', isSame: isSameName };
    return patterns.some((pattern) => matches(pattern, names, rules));
  };
}

const LETTERS = {
  isStar: (letter: string): boolean => letter === '*',
  isSame: (letter: string, other: string) => letter === '?' || letter === other,
};

const MAX_ALTERNATIVES = 200;

function alternatives(glob: string): string[] {
  const done: string[] = [];
  const open = [glob];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const braces = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(next);
    if (braces === null || done.length + open.length > MAX_ALTERNATIVES) done.push(next);
    else {
      const [, before = '', inside = '', after = ''] = braces;
      open.push(...inside.split(',').map((each) => before + each + after));
    }
  }
  return done;
}

function matches(pattern: readonly string[], items: readonly string[], { isStar, isSame }: typeof LETTERS) {
  let [part, item, star, resume] = [0, 0, -1, 0];
  while (item < items.length) {
    const wanted = pattern[part];
    if (wanted !== undefined && isStar(wanted)) [star, resume, part] = [part, item, part + 1];
    else if (wanted !== undefined && isSame(wanted, items[item] ?? '')) [part, item] = [part + 1, item + 1];
    else if (star === -1) return false;
    else [resume, item, part] = [resume + 1, resume + 1, star + 1];
  }
  return pattern.slice(part).every(isStar);
}

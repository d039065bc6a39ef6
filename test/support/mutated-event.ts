import fc from 'fast-check';

/** The event with some of its members replaced, removed or moved into one another. */
export function mutated(event: object): fc.Arbitrary<unknown> {
  const keys = pathsOf(event);
  const change = fc.record({
    at: fc.constantFrom(...keys),
    put: fc.option(fc.jsonValue(), { nil: undefined }),
  });
  return fc.array(change, { maxLength: 4 }).map((changes) => {
    const copy = structuredClone(event);
    for (const { at, put } of changes) put === undefined ? remove(copy, at) : set(copy, at, put);
    return copy;
  });
}

type Path = readonly string[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => [[...path, key], ...pathsOf(each, [...path, key])]);
}

function set(value: unknown, [key = '', ...rest]: Path, put: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (rest.length > 0) set(Reflect.get(value, key), rest, put);
  else Reflect.set(value, key, put);
}

function remove(value: unknown, [key = '', ...rest]: Path): void {
  if (typeof value !== 'object' || value === null) return;
  if (rest.length > 0) remove(Reflect.get(value, key), rest);
  else Reflect.deleteProperty(value, key);
}

import { DomainError } from '../../runtime/domain-error.ts';
import { memberSpans, skipBlank } from '../../text/json-spans.ts';
import { type Fields, isFields } from '../../text/json-value.ts';
import { blankComments, editSettings } from './json-comments.ts';
import type { ListedServer, ServerFormat, ServerPlace } from './server-format.ts';

/** A JSON file with the servers as members of one object, `key` at the top unless the place says otherwise. */
export function jsonMembers(key: string): ServerFormat {
  const pathIn = ({ at }: ServerPlace) => at ?? [key];
  return {
    read: (text, place) => {
      let value: unknown = parsedObject(text, place.path);
      const bare = blankComments(text);
      let start = skipBlank(bare, 0);
      for (const step of pathIn(place)) {
        value = isFields(value) ? value[step] : undefined;
        if (!isFields(value)) return new Map();
        start = memberSpans(bare, start).get(step)?.start ?? 0;
      }
      return listedServers(text, start, value as Fields);
    },
    write: (_, entry) => JSON.stringify(entry, null, 2).replaceAll('\n', '\n    '),
    replace: (text, place, { name, raw }) =>
      editSettings(text, [{ kind: 'replace', path: [...pathIn(place), name], json: raw }]),
    add: (text, place, { name, raw }) =>
      added(text.trim() === '' ? '{}\n' : text, pathIn(place), { name, raw }),
    remove: (text, place, name) => without(text, pathIn(place), name),
  };
}

function added(text: string, path: readonly string[], { name, raw }: { name: string; raw: string }): string {
  const [key = '', ...deeper] = path;
  const isThere = deeper.length > 0 || isFields((JSON.parse(blankComments(text)) as Fields)[key]);
  if (isThere) return editSettings(text, [{ kind: 'member', path, key: name, json: raw }]);
  return editSettings(text, [
    { kind: 'member', path: [], key, json: `{\n    ${JSON.stringify(name)}: ${raw}\n  }` },
  ]);
}

/** The rest of the object is printed anew; a file nobody touched since is put back from its backup instead. */
function without(text: string, path: readonly string[], name: string): string {
  const servers = path.reduce(
    (value: unknown, key) => (isFields(value) ? value[key] : undefined),
    JSON.parse(blankComments(text)) as unknown,
  );
  if (!isFields(servers) || !(name in servers)) return text;
  const { [name]: _, ...others } = servers;
  const json = JSON.stringify(others, null, 2).replaceAll('\n', '\n  ');
  return editSettings(text, [{ kind: 'replace', path, json }]);
}

function listedServers(text: string, start: number, servers: Fields): Map<string, ListedServer> {
  const listed = new Map<string, ListedServer>();
  for (const [name, span] of memberSpans(blankComments(text), start)) {
    const entry = servers[name];
    if (isFields(entry)) listed.set(name, { entry, raw: text.slice(span.start, span.end) });
  }
  return listed;
}

export function parsedObject(text: string, path: string): Fields {
  try {
    const value = JSON.parse(blankComments(text)) as unknown;
    if (isFields(value)) return value;
  } catch (cause) {
    throw new DomainError('cannot_read', `${path} is not plain JSON`, {
      hint: 'It may end a list with a comma; change it by hand as printed for another file, or remove that first.',
      cause,
    });
  }
  return {};
}

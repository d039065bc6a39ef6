import { DomainError } from '../../runtime/domain-error.ts';
import { editJson } from '../../text/json-edit.ts';
import { memberSpans, skipBlank } from '../../text/json-spans.ts';
import type { ListedServer, ServerFormat, ServerPlace } from './server-format.ts';

/** A JSON file with the servers as members of one object, `key` at the top unless the place says otherwise. */
export function jsonMembers(key: string): ServerFormat {
  const pathIn = ({ at }: ServerPlace) => at ?? [key];
  return {
    read: (text, place) => {
      let value: unknown = parsed(text, place.path);
      let start = skipBlank(text, 0);
      for (const step of pathIn(place)) {
        value = isObject(value) ? value[step] : undefined;
        if (!isObject(value)) return new Map();
        start = memberSpans(text, start).get(step)?.start ?? 0;
      }
      return listedServers(text, start, value as Fields);
    },
    write: (_, entry) => JSON.stringify(entry, null, 2).replaceAll('\n', '\n    '),
    replace: (text, place, { name, raw }) =>
      editJson(text, [{ kind: 'replace', path: [...pathIn(place), name], json: raw }]),
  };
}

function listedServers(text: string, start: number, servers: Fields): Map<string, ListedServer> {
  const listed = new Map<string, ListedServer>();
  for (const [name, span] of memberSpans(text, start)) {
    const entry = servers[name];
    if (isObject(entry)) listed.set(name, { entry, raw: text.slice(span.start, span.end) });
  }
  return listed;
}

type Fields = Readonly<Record<string, unknown>>;

function parsed(text: string, path: string): Fields {
  try {
    const value = JSON.parse(text) as unknown;
    if (isObject(value)) return value;
  } catch (cause) {
    throw new DomainError('cannot_read', `${path} is not plain JSON`, {
      hint: 'It may contain comments; change it by hand as printed for another file, or remove them first.',
      cause,
    });
  }
  return {};
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { parseToml } from '../../config/config-file.ts';
import type { ListedServer, ServerFormat } from './server-format.ts';
import { tomlTable } from './toml-text.ts';

/** Codex's TOML: one `[mcp_servers.NAME]` section a server, with sub-sections such as `[mcp_servers.NAME.env]`. */
export const codexSections: ServerFormat = {
  read: (text, { path }) => {
    const servers = (parseToml(text, path).mcp_servers ?? {}) as Record<string, Record<string, unknown>>;
    const listed = new Map<string, ListedServer>();
    for (const [name, entry] of Object.entries(servers)) {
      const section = sectionOf(text, name);
      // A server written in another way (an inline table) is left to its owner.
      if (section !== undefined) listed.set(name, { entry, raw: text.slice(section.start, section.end) });
    }
    return listed;
  },
  write: (name, entry) => `${tomlTable(['mcp_servers', name], entry)}\n`,
  replace: (text, _, { name, raw }) => {
    const section = sectionOf(text, name);
    return section === undefined ? text : text.slice(0, section.start) + raw + text.slice(section.end);
  },
  add: (text, _, { raw }) => {
    const gap = text === '' || text.endsWith('\n\n') ? '' : '\n';
    return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${gap}${raw}`;
  },
  remove: (text, _, name) => {
    const section = sectionOf(text, name);
    return section === undefined ? text : text.slice(0, section.start) + text.slice(section.end);
  },
};

const HEADER = /^\[{1,2}[^\S\n]{0,40}([^\]\n]{1,300}?)[^\S\n]{0,40}\]{1,2}[^\S\n]*(?:#.*)?$/gm;

/** From its header to the next header of something else. */
function sectionOf(text: string, name: string): { start: number; end: number } | undefined {
  const own = [`mcp_servers.${name}`, `mcp_servers.${JSON.stringify(name)}`];
  const headers = [...text.matchAll(HEADER)].map((found) => ({ title: found[1] ?? '', at: found.index }));
  const isOwn = (title: string) => own.some((each) => title === each || title.startsWith(`${each}.`));
  const first = headers.findIndex(({ title }) => isOwn(title));
  if (first === -1) return undefined;
  const next = headers.slice(first).find(({ title }) => !isOwn(title));
  return { start: headers[first]?.at ?? 0, end: next?.at ?? text.length };
}

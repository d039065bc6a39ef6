import type { Tool } from '../tool.ts';

/** The entries of `tools/list`: what a client may see of our tools. */
export function listedTools(tools: readonly Tool[]): Array<Record<string, unknown>> {
  return tools.map(({ name, title, description, inputSchema, annotations }) => ({
    name,
    ...(title === undefined ? {} : { title }),
    description,
    inputSchema,
    ...(annotations === undefined ? {} : { annotations }),
  }));
}

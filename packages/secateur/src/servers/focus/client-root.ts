import { fileURLToPath } from 'node:url';
import type { Tool, ToolCallContext } from '@secateur/base/tools/tool.ts';
import { openRoot, type WorkspaceRoot } from '@secateur/serving/workspace/root.ts';

/** Tools made for a project are kept for so many projects. */
const MAX_PROJECTS = 50;

/** A tool for the folder the server was given, and for each client that names one the same tool for that. */
export function perProject(own: WorkspaceRoot, make: (root: WorkspaceRoot) => Tool): Tool {
  const made = new Map<string, Tool>();
  const usual = make(own);
  const toolFor = (root: WorkspaceRoot) => {
    const known = made.get(root.real);
    if (known !== undefined) return known;
    if (made.size >= MAX_PROJECTS) made.clear();
    const tool = make(root);
    made.set(root.real, tool);
    return tool;
  };
  return {
    ...usual,
    forClient: async (context) => {
      const root = await clientRoot(context);
      return root === undefined ? usual : toolFor(root);
    },
  };
}

/** The first folder the client says it works in, where this machine has it. */
async function clientRoot(context: ToolCallContext): Promise<WorkspaceRoot | undefined> {
  const uris = (await context.roots?.()) ?? [];
  for (const uri of uris) {
    const root = await openRoot(pathOf(uri)).catch(() => undefined);
    if (root !== undefined) return root;
  }
  return undefined;
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    return '\0';
  }
}

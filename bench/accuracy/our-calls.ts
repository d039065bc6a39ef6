import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../packages/base/src/runtime/time.ts';
import { createReadingTools, readSource } from '../../packages/reverse-spec/src/spec/prepare/read-source.ts';
import { roleOf } from '../../packages/reverse-spec/src/spec/prepare/scope.ts';
import type { CallEdge } from '../../packages/reverse-spec/src/spec/reading/call-graph.ts';
import type { FileFacts } from '../../packages/reverse-spec/src/spec/reading/facts.ts';
import { openProject } from '../../packages/reverse-spec/src/spec/reading/project.ts';
import { bodiesOf } from '../../packages/reverse-spec/src/spec/reading/read-bodies.ts';
import { listFiles } from '../../packages/serving/src/workspace/list-files.ts';
import { openRoot } from '../../packages/serving/src/workspace/root.ts';

/** A project as reverse-spec reads it: its sources, and the calls between them that are certain. */
export interface OurCalls {
  files: FileFacts[];
  edges: CallEdge[];
}

const MAX_FILE_BYTES = 2_000_000;

/** Reads the sources of a project, all as one module, so that every call inside it counts. */
export async function ourCalls(
  base: string,
  only: (path: string) => boolean = () => true,
): Promise<OurCalls> {
  const { paths } = await listFiles(await openRoot(base), {});
  const tools = createReadingTools();
  const files: FileFacts[] = [];
  for (const path of paths.filter((each) => roleOf(each) === 'source' && only(each))) {
    const request = { absolute: join(base, path), path, maxBytes: MAX_FILE_BYTES, withBodies: true };
    const reading = await readSource(request, tools);
    if (reading.kind === 'facts') files.push(reading.facts);
  }
  await tools.outliner.close();
  const project = await openProject(base, files, {
    clock: systemClock,
    cwd: base,
    version: 'bench',
    maxFileBytes: MAX_FILE_BYTES,
    tokenBudget: 0,
  });
  const { edges } = project.callsOf(files, bodiesOf(files));
  return { files, edges: [...edges] };
}

/** The text of a line, for a person who checks a sample. */
export function lineOf(base: string, path: string, line: number): string {
  return readFileSync(join(base, path), 'utf8').split('\n')[line - 1]?.trim() ?? '';
}

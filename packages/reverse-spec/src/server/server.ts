import type { RpcServer } from '@secateur/serving/wire/protocol.ts';
import type { Granularity } from '../spec/batch.ts';
import type { WritingParts } from '../spec/generate.ts';
import { batchTool } from './tools/batch.ts';
import { diffTool } from './tools/diff.ts';
import { generateTool } from './tools/generate.ts';
import { prepareTool } from './tools/prepare.ts';

export interface ReverseSpecParts extends WritingParts {
  /** Default folder for specs; relative to the target's project. */
  outputDir: string;
  /** Modules `batch` writes at the same time. */
  concurrency: number;
  /** Subject of one document of `batch`. */
  granularity: Granularity;
}

/** The version that the tools' contract names; it is not the version of the package. */
const SERVER_VERSION = '2.0.0';

/** Serves four tools; their calls share nothing but the file system. */
export function reverseSpecServer(parts: ReverseSpecParts): RpcServer {
  return {
    name: 'reverse-spec',
    version: SERVER_VERSION,
    tools: [prepareTool(parts), generateTool(parts), batchTool(parts), diffTool(parts)],
  };
}

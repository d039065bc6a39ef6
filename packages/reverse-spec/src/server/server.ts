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
  /** Number of modules that `batch` writes concurrently. */
  concurrency: number;
  /** Subject of one document of `batch`: a package, a folder or a file. */
  granularity: Granularity;
}

/** Version that the contract of the tools requires. It differs from the version of the package. */
const SERVER_VERSION = '2.0.0';

/** Returns a server with four tools. Their calls share no state except the file system. */
export function reverseSpecServer(parts: ReverseSpecParts): RpcServer {
  return {
    name: 'reverse-spec',
    version: SERVER_VERSION,
    tools: [prepareTool(parts), generateTool(parts), batchTool(parts), diffTool(parts)],
  };
}

import { isAbsolute, join } from 'node:path';
import { openRegularFile, type RegularFile } from '@secateur/base/runtime/open-regular-file.ts';
import type { Origin } from '@secateur/serving/config/origin.ts';
import type { TranscriptMemory } from './transcript.ts';

/** Location of the files of the user's clients. */
export type ClientHome = Pick<Origin, 'env' | 'homeDir'>;

/** The folders a client writes to. Files outside them are never opened, whatever an event names. */
export interface ClientFolders {
  readonly transcripts: readonly string[];
  /** Outputs that the client keeps in a file because they are long. */
  readonly outputs?: readonly string[];
}

/**
 * Files named by an event that may be opened. `all`: for the user's own process or the socket of its session.
 * `transcripts`: for a loopback connection of the server's own user. `nothing`: for every other caller.
 */
export type FileAccess = 'all' | 'transcripts' | 'nothing';

/** The files that one event may have opened. */
export interface EventFiles {
  /** Opens a transcript; a relative path is below the client's first folder. The caller closes the file. */
  openTranscript(path: string): RegularFile | undefined;
  /** Opens an output that the client keeps in a file. The caller closes the file. */
  openOutput(path: string): RegularFile | undefined;
  /** Parts of transcripts read for earlier events. */
  readonly memory?: TranscriptMemory | undefined;
}

interface AllowedFiles extends Pick<EventFiles, 'memory'> {
  readonly access: FileAccess;
}

export function eventFiles(folders: ClientFolders, { access, memory }: AllowedFiles): EventFiles {
  const { transcripts, outputs = [] } = folders;
  return {
    memory,
    openTranscript: (path) => {
      const absolute = isAbsolute(path) ? path : join(transcripts[0] ?? '', path);
      return access === 'nothing' ? undefined : openBelow(absolute, transcripts);
    },
    openOutput: (path) => (access === 'all' ? openBelow(path, outputs) : undefined),
  };
}

function openBelow(path: string, folders: readonly string[]): RegularFile | undefined {
  const file = openRegularFile(path, { below: folders });
  return file.kind === 'opened' ? file : undefined;
}

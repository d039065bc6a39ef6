/** Why a file that was listed gave no facts. */
export type FileNote =
  | {
      code:
        | 'binary'
        | 'unknown-language'
        | 'unreadable'
        | 'failed'
        | 'unreadable-folder'
        | 'name-not-utf8'
        | 'secret-in-name';
    }
  | { code: 'too-large'; bytes: number; maxBytes: number };

/** By path. */
export type FileNotes = Readonly<Record<string, FileNote>>;

/** Launch context of the program: what defaults and paths are relative to. */
export interface Origin {
  readonly env: Environment;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly homeDir: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

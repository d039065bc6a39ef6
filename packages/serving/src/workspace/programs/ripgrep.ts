import { DomainError } from '@secateur/base/runtime/domain-error.ts';

/** Returns the path of the package's ripgrep. Throws if this platform's binary was not installed. */
export async function ripgrepPath(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch (cause) {
    throw new DomainError(
      'ripgrep_missing',
      `ripgrep for ${process.platform}-${process.arch} is not installed`,
      {
        hint: 'It comes as an optional dependency: install again without --omit=optional.',
        cause,
      },
    );
  }
}

import { DomainError } from '@secateur/base/runtime/domain-error.ts';

/** Where the ripgrep of the package lies. Its loader throws when the binary of this platform was not installed. */
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

import { DomainError } from './domain-error.ts';

/** Loads a package only some users need; if it is not installed, the error says how to get it. */
export async function loadOptional<Module>(name: string, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (!isMissing(cause, name)) throw cause;
    throw new DomainError('package_missing', `this needs the package ${name}, which is not installed`, {
      hint: `Install it beside secateur: npm install ${name}`,
      cause,
    });
  }
}

function isMissing(cause: unknown, name: string): boolean {
  if (!(cause instanceof Error)) return false;
  const code = 'code' in cause ? cause.code : undefined;
  return code === 'ERR_MODULE_NOT_FOUND' && cause.message.includes(`'${name}'`);
}

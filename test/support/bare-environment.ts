import { tmpdir } from 'node:os';

/**
 * This process's environment with a home that holds no profile: login shells start fast, and killing one leaves no
 * half-finished work of the user's own start-up files behind.
 */
export const bareEnvironment: Record<string, string | undefined> = { ...process.env, HOME: tmpdir() };

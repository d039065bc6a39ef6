/** Every format the engine knows, in the order in which they are asked: the first that recognises a text reads it. */
import type { Format } from './document.ts';
import { buildFormat } from './formats/build.ts';
import { codeFormat } from './formats/code.ts';
import { documentFormat } from './formats/document.ts';
import { logFormat } from './formats/log.ts';
import { plainFormat } from './formats/plain.ts';
import { testRunFormat } from './formats/test-run.ts';

export const FORMATS: readonly Format[] = [
  testRunFormat,
  buildFormat,
  logFormat,
  documentFormat,
  codeFormat,
  plainFormat,
];

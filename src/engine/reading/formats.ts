/** Every format the engine knows, in the order in which they are asked. */
import type { Format } from './document.ts';
import { codeFormat } from './formats/code.ts';
import { documentFormat } from './formats/document.ts';
import { plainFormat } from './formats/plain.ts';

export const FORMATS: readonly Format[] = [
  documentFormat,
  codeFormat,
  plainFormat,
];

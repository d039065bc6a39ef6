/** The formats in the order in which they are asked: the first that recognises a text reads it. */
import type { Format } from './document.ts';
import { buildFormat } from './formats/build.ts';
import { logFormat } from './formats/log.ts';
import { testRunFormat } from './formats/test-run.ts';

export const FORMATS: readonly Format[] = [testRunFormat, buildFormat, logFormat];

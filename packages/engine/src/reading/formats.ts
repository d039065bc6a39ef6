/** All formats of the engine, in the order in which they are tried. Those that are recognised most reliably come first. */
import type { Format } from './document.ts';
import { buildFormat } from './formats/build.ts';
import { codeFormat } from './formats/code.ts';
import { configFormat } from './formats/config.ts';
import { diffFormat } from './formats/diff.ts';
import { documentFormat } from './formats/document.ts';
import { jsonFormat } from './formats/json.ts';
import { listingFormat } from './formats/listing.ts';
import { logFormat } from './formats/log.ts';
import { markupFormat } from './formats/markup.ts';
import { plainFormat } from './formats/plain.ts';
import { searchFormat } from './formats/search.ts';
import { tableFormat } from './formats/table.ts';
import { testRunFormat } from './formats/test-run.ts';

export const FORMATS: readonly Format[] = [
  diffFormat,
  testRunFormat,
  buildFormat,
  logFormat,
  jsonFormat,
  markupFormat,
  searchFormat,
  listingFormat,
  tableFormat,
  configFormat,
  documentFormat,
  codeFormat,
  plainFormat,
];

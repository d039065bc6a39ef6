/** The registry of formats. The first one that recognises a text reads it; the order goes from certain to vague signs. */
import type { Format } from './document.ts';
import { configFormat } from './formats/config.ts';
import { diffFormat } from './formats/diff.ts';
import { jsonFormat } from './formats/json.ts';
import { listingFormat } from './formats/listing.ts';
import { markupFormat } from './formats/markup.ts';
import { searchFormat } from './formats/search.ts';
import { tableFormat } from './formats/table.ts';

export const FORMATS: readonly Format[] = [
  diffFormat,
  jsonFormat,
  markupFormat,
  searchFormat,
  listingFormat,
  tableFormat,
  configFormat,
];

/** Tags of authors before work that is left to do, as alternatives of a pattern. */
export const UNFINISHED_TAGS = 'TODO|FIXME|HACK|XXX|BUG|OPTIMIZE|WORKAROUND|REFACTOR';

/** The nine sections of a document, in their order. */
export const sectionIds = [
  'intent',
  'interface',
  'businessLogic',
  'dataStructures',
  'constraints',
  'edgeCases',
  'technicalDebt',
  'testCoverage',
  'dependencies',
] as const;

/** The sections of the index over all documents. */
export const indexSectionIds = ['modules', 'moduleGraph'] as const;

export type SectionId = (typeof sectionIds)[number] | (typeof indexSectionIds)[number];

/** Other headings the tool writes: three inside a section, two behind the nine when there is something to say. */
export const headingIds = ['diagram', 'fileList', 'criteria', 'conflicts', 'orphans'] as const;

export type HeadingId = (typeof headingIds)[number];

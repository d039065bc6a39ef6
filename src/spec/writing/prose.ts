/** What a writer says, by section. The interface section is missing on purpose: it is rendered from the AST. */
export interface Prose {
  intent?: string;
  businessLogic?: string;
  dataStructures?: string;
  constraints?: string;
  edgeCases?: string;
  technicalDebt?: string;
  testCoverage?: string;
  dependencies?: string;
}

export const proseSections = [
  'intent',
  'businessLogic',
  'dataStructures',
  'constraints',
  'edgeCases',
  'technicalDebt',
  'testCoverage',
  'dependencies',
] as const satisfies readonly (keyof Prose)[];

export type ProseSection = (typeof proseSections)[number];

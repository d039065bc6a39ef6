/** Promises of the parsers. Ids SY1…; the ids S1… belong to the audit contract (AU1… here). */
export const syntaxRequirements: Readonly<Record<string, string>> = {
  SY1: 'Imports, declarations, members, visibility and line ranges of fourteen languages are read as their golden outlines say.',
  SY2: 'A signature is the source’s own text; no type or name is invented.',
  SY3: 'Exported names and signatures agree with the language’s own tools: TypeScript’s compiler, Python’s ast.',
  SY4: 'Broken and partial code never throws: problems are listed, what can be read is returned, every line is in range.',
  SY5: 'A parser ends after a number of steps that depends on the text alone; line patterns answer instead.',
  SY6: 'A language without a parser is reported as unknown.',
  SY7: 'The lines of any fragment that import or declare are found by patterns alone, no parser loaded.',
  SY8: 'Documentation comments are attached to what they document, and the line a body opens on is known.',
  SY10: 'No text makes a line pattern, a mark of a language or a mask take longer than in step with its length.',
};

export const syntaxRequirements: Readonly<Record<string, string>> = {
  S1: 'Imports, declarations, members, visibility and line ranges of fourteen languages are read as their golden outlines say.',
  S2: 'A signature is the source’s own text; no type or name is invented.',
  S3: 'Exported names and signatures agree with the language’s own tools: TypeScript’s compiler, Python’s ast.',
  S4: 'Broken and partial code never throws: problems are listed, what can be read is returned, every line is in range.',
  S5: 'A passed deadline ends the parsing and line patterns answer instead.',
  S6: 'A language nobody knows is said to be unknown.',
  S7: 'The lines of any fragment that import or declare are found by patterns alone, no parser loaded.',
  S8: 'Documentation comments are attached to what they document, and the line a body opens on is known.',
  S10: 'No text makes a line pattern, a mark of a language or a mask take longer than in step with its length.',
};

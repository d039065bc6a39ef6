export const syntaxRequirements: Readonly<Record<string, string>> = {
  S1: 'Imports, declarations, members, visibility and line ranges of fourteen languages are read as their golden outlines say.',
  S2: 'A signature is the source’s own text; no type or name is invented.',
};

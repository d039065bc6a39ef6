export const qualityRequirements: Readonly<Record<string, string>> = {
  Q1: 'The quality bench measures the real answer of prune_text beside rivals that get no more characters, with intervals by group.',
  Q2: 'A set of examples of our own lets anyone run the bench; on it six of seven lines that a goal needs stay at 70 %, and logs lose 80 % of their characters and no failure.',
  Q3: 'The scorer needs no download: its weights lie in the package and stay under 1 MB, with a model card.',
  Q4: 'The scorer has two tiers, chosen by size and time left, and says which it used.',
  Q5: 'The network in TypeScript equals its PyTorch reference to 1e-3.',
  Q6: 'Training reads features from the scorer itself, and leaves out every group whose licence is not permissive.',
  Q7: 'The same text and goal get the same scores, one finite number a line, whatever the text.',
  Q8: 'No line can make scoring slow: what follows its first 4,096 characters is not read, heaps of blank lines skip the network, and a text that costs no more than a marker is not ranked at all.',
  Q12: 'A replay counts tokens, lines missed, recoveries and the price of whole runs as if every output had been cut.',
  Q13: 'secateur replay says what cutting would have saved in sessions of Claude Code and Codex on disk; odd lines are counted and passed over.',
};

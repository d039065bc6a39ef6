import { withoutHereDocuments } from '../text/here-documents.ts';

/** What kind of thing a command prints: each kind is read, and used, in its own way. */
export const COMMAND_KINDS = ['read', 'search', 'listing', 'tests', 'script', 'git', 'other'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

/** Read for its words only, never run. Tools that are no shell count by name: `Read`, `Grep`, `Glob`. */
export function commandKind(command: string): CommandKind {
  const bare = withoutHereDocuments(command.slice(0, LONGEST_COMMAND))
    .replace(/^\s*(?:cd\s+\S+|export\s+\S+|source\s+\S+)\s*(?:&&|;)/, '')
    .trim();
  return RULES.find(({ pattern }) => pattern.test(bare))?.kind ?? 'other';
}

const LONGEST_COMMAND = 4000;
const RULES: readonly { kind: CommandKind; pattern: RegExp }[] = [
  {
    kind: 'tests',
    pattern:
      /\b(?:pytest|tox|runtests|bin\/test|npm (?:run )?test|yarn (?:run )?test|pnpm (?:run )?test|jest|mocha|cargo test|go test|ctest|mvn|gradlew? test|unittest|vitest|rspec|phpunit|make (?:check|test))\b/,
  },
  { kind: 'git', pattern: /^git\b|&&\s*git (?:diff|log|show|status)\b/ },
  { kind: 'read', pattern: /^(?:Read|read|nl|cat|bat|sed -n|head|tail)\b/ },
  { kind: 'search', pattern: /^(?:Grep|grep)\b|\b(?:grep|rg|ag)\b/ },
  { kind: 'listing', pattern: /^(?:Glob|LS|find|ls|tree|wc|du|pwd)\b/ },
  {
    kind: 'script',
    pattern:
      /\b(?:python3?|node|bash|sh|ruby|php|go run|cargo (?:run|build|check)|make|cmake|gcc|g\+\+|clang|npx|npm|yarn|pip|tsc|docker)\b/,
  },
  { kind: 'read', pattern: /\b(?:nl|cat|sed -n|head|tail|awk|less|more)\b/ },
  { kind: 'listing', pattern: /\b(?:ls|find)\b/ },
];

import type { LineScores } from '../../ranking/scorer.ts';
import type { ClassifiedText } from './classify.ts';
import { foreignFrames } from './folds/foreign-frames.ts';

/** Why a line says little, whatever its words: by pattern alone. */
export const FOLDS = ['passed', 'progress', 'library', 'repeated'] as const;
export type Fold = (typeof FOLDS)[number];

/** For each line the fold it belongs to. */
export type Folds = readonly (Fold | undefined)[];

/** A test that passed, as TAP, pytest, Go, unittest, Rust, Gradle and the runners of JavaScript print it. */
const PASSED =
  /^\s*(?:ok \d+\b|[✓✔√] |--- PASS: |PASS\s+\S|PASSED\s+\S)|(?:\.\.\. ok|\bPASSED)(?: +\[ *\d+%\])?$|^\S+ \.+ +\[ *\d+%\]$/;

/** A test whose description, and how it went, stands on the next line. */
const NAMED = /^\w+ \([\w.]+\)$/;

/** What package managers, compilers, containers and bars print while they are at it. */
const PROGRESS = new RegExp(
  [
    String.raw`\d{1,3}%\s?\|[^|]{0,200}\|`,
    String.raw`^.{0,80}[[(|][=#>█▓▒░━╸╺ .·-]{6,}[\])|]`,
    String.raw`^\s*[━╸╺─█▓▒░#=>]{6,}`,
    String.raw`\b(?:Receiving|Resolving|Counting|Compressing|Unpacking|Enumerating|Writing|Updating) (?:objects|deltas|files):?\s+\d+%`,
    String.raw`^\s*(?:Collecting|Requirement already satisfied|Using cached|Downloading|Downloaded|Preparing metadata|Installing build dependencies|Getting requirements|Building wheel|Created wheel|Stored in directory|Attempting uninstall|Found existing installation|Uninstalling|Successfully uninstalled)\b`,
    String.raw`^(?:Get:|Hit:|Ign:|Fetched )\S*|^(?:Selecting previously unselected package|Preparing to unpack|Unpacking|Setting up|Processing triggers for|\(Reading database)`,
    `^[0-9a-f]{12}: (?:Pulling|Waiting|Verifying|Download|Extracting|Pull complete|Already exists|Pushed|Layer|Preparing)`,
    String.raw`^#\d+ (?:sha256:[0-9a-f]+ [\d.]{1,20}\w{1,10} / |extracting |transferring |CACHED|DONE)`,
    String.raw`^\s*(?:Compiling|Checking|Fresh|Updating|Adding|Locking|Downloaded|Downloading|Documenting|Dirty) \S+ v?\d`,
    String.raw`^npm (?:http|timing|sill|verb|info)\b|^\[\d+/\d+\] (?:Resolving|Fetching|Linking|Building|Compiling|CXX|CC|Copying)|^\[ *\d{1,3}%\] `,
    String.raw`^go: (?:downloading|finding|extracting) |^> Task :\S+(?: UP-TO-DATE| NO-SOURCE| FROM-CACHE)?$`,
    String.raw`^(?:\[INFO\] )?(?:Downloading|Downloaded)(?: from \S+)?: `,
    String.raw`^Progress: resolved \d+|^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]`,
  ].join('|'),
);

/** A question about them keeps them as they are. */
const ASKED: Readonly<Record<Fold, RegExp>> = {
  // "Make sure that all tests pass" wants to hear of those that do not.
  passed:
    /\b(?:which|what|list|names?|how many|show)\b[^.?!\n]{0,60}\bpass(?:ed|es|ing)?\b|\bpassing tests\b/i,
  progress: /\b(?:progress|downloads?|downloaded|install(?:s|ed)?|installing|compiled|percent|versions?)\b/i,
  library:
    /\b(?:librar(?:y|ies)|dependenc(?:y|ies)|packages?|node_modules|site-packages|whole trace|every frame)\b/i,
  repeated: /\b(?:repeat(?:s|ed)?|how (?:often|many)|whole trace|every frame|recursion)\b/i,
};

const LONGEST_LINE = 300;

/** What folds in the output of a program: passing tests, progress, frames of libraries and frames seen before, unless asked for. */
export function foldsOf({ shape, bare }: ClassifiedText, question: string): Folds {
  const folds = new Array<Fold | undefined>(bare.length);
  if (shape !== 'test-run' && shape !== 'logs') return folds;
  for (const [index, line] of bare.entries()) {
    const head = line.slice(0, LONGEST_LINE);
    if (PASSED.test(head))
      folds.fill('passed', NAMED.test(bare[index - 1] ?? '') ? index - 1 : index, index + 1);
    else if (PROGRESS.test(head)) folds[index] = 'progress';
  }
  for (const { start, end, why } of foreignFrames(bare)) folds.fill(why, start, end + 1);
  return folds.map((fold) => (fold !== undefined && ASKED[fold].test(question) ? undefined : fold));
}

/** How much less such a line is needed than its words suggest: it repeats what others are about. */
const DISCOUNT = 0.1;

export function discountFolds(ranking: Omit<LineScores, 'tier'>, folds: Folds): Omit<LineScores, 'tier'> {
  const { scores, probabilities, areLogOdds } = ranking;
  if (!folds.some((fold) => fold !== undefined)) return ranking;
  const isFolded = (index: number) => folds[index] !== undefined;
  return {
    ...ranking,
    ...(areLogOdds && {
      scores: scores.map((score, index) => (isFolded(index) ? score + Math.log(DISCOUNT) : score)),
    }),
    ...(probabilities && {
      probabilities: probabilities.map((each, index) => (isFolded(index) ? each * DISCOUNT : each)),
    }),
  };
}

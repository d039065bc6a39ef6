/** Progress output of package managers, compilers, containers, version control and CI. */

import { type Mark, type Marks, namesTrouble, statesResult } from '../../marks.ts';

/** Matches progress bars that may follow a name. The name is not part of the pattern, which saves two thirds of the time. */
const BAR = /\d%\s?\|[^|]{0,200}\||[[(|][=#>█▓▒░━╸╺ .·-]{6,100}[\])|]/;
const MAX_BEFORE_BAR = 80;

const BARS = new RegExp(
  [
    String.raw`^\s*[━╸╺█▓▒░#=>]{6,200}\s+\d`,
    '^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏⣾⣽⣻⢿⡿⣟⣯⣷]',
    String.raw`^\s*\d{1,3}(?:\.\d+)?% (?:\[|\(|complete|done|compiling|building|sealing|module|chunk|after|asset|emitting|optimiz|hashing)`, // webpack
    String.raw`^\s*\d{1,6}K (?:[.,]{10} ?){1,5}`, // wget
    String.raw`^\s*\d{1,3}\s+[\d.]+[kMG]?\s+\d{1,3}\s.{0,80}[-\d]:[-\d]{2}:[-\d]{2} `, // curl
  ].join('|'),
);

const TOOLS = new RegExp(
  [
    // git
    String.raw`^(?:remote: )?(?:Receiving|Resolving|Counting|Compressing|Unpacking|Enumerating|Writing|Updating|Filtering) (?:objects|deltas|files|content):?\s+\d+|^remote: Total \d+ \(delta `,
    String.raw`^\s+(?:\*|[0-9a-f]{7,12}\.\.\.?[0-9a-f]{7,12}) .{1,100}\s+-> `,
    // pip, poetry
    String.raw`^\s*(?:Collecting|Requirement already (?:satisfied|up-to-date)(?:, skipping upgrade)?|Using cached|Downloading|Downloaded|Preparing metadata|Installing build dependencies|Getting requirements|Building wheels? for|Created wheel|Stored in directory|Attempting uninstall|Found existing installation|Uninstalling|Successfully uninstalled|Obtaining|Installing collected|Running setup\.py|Searching for|Reading https?:|Best match:|Processing \S{1,200}\.(?:egg|whl|tar)|Copying \S{1,200}\.egg|copying|creating|adding|byte-compiling|writing|reading manifest|running \w+$)(?=[ :(]|$)`,
    String.raw`^\s*[•-] (?:Installing|Updating|Downloading|Removing|Loading) \S`,
    // apt, dpkg, yum, apk, brew
    String.raw`^(?:Get:|Hit:?|Ign:?|Fetched )(?:\d| https?:)`,
    String.raw`^(?:Selecting previously unselected package|Preparing to (?:unpack|replace)|Unpacking|Setting up|Processing triggers for|Adding system (?:user|group)|\(Reading database|Reading package lists|Reading state information|Building dependency tree|update-alternatives: using)`,
    String.raw`^\(\d+/\d+\) (?:Installing|Upgrading|Purging|Downloading) |^\s*(?:Installing|Updating|Verifying|Cleanup|Erasing)\s{0,3}: \S`,
    '^==> (?:Downloading|Pouring|Installing|Fetching|Tapping|Linking) ',
    // docker
    `^[0-9a-f]{12}: (?:Pulling|Waiting|Verifying|Download|Extracting|Pull complete|Already exists|Pushed|Layer|Preparing|Mounted)`,
    String.raw`^#\d+ (?:sha256:[0-9a-f]+ [\d.]{1,20}\w{1,10} / |sha256:[0-9a-f]+|extracting |transferring |resolve |CACHED|DONE)`,
    '^ ---> (?:[0-9a-f]{12}|Using cache|Running in [0-9a-f]{12})|^Removing intermediate container ',
    // cargo, rustup, go
    String.raw`^\s*(?:Compiling|Checking|Fresh|Updating|Adding|Locking|Downloaded|Downloading|Documenting|Dirty|Removing|Unpacking|Installing) \S+ v?\d`,
    '^info: (?:downloading|installing|syncing|latest update|default toolchain) ',
    '^go: (?:downloading|finding|extracting|found) |^Fetching https?:',
    // npm, yarn, pnpm, composer, bundler
    String.raw`^npm (?:http|timing|sill|verb|info)\b|^Progress: resolved \d+`,
    String.raw`^\[\d+/\d+\] |^(?:info|verbose) \S{1,100}@\S{1,100}: The `,
    String.raw`^(?:Using|Fetching|Installing) [\w.-]+ \d[\w.]*(?: \(was \S+\)| from source at .{0,120}| with native extensions)?$|^(?:Fetching|Parsing documentation for|Done installing documentation for|Building native extensions)\b`,
    String.raw`^\s*- (?:Installing|Updating|Removing|Downloading|Syncing|Locking) \S{1,100}/\S{1,100} `,
    String.raw`^\s*(?:Loading from cache|Extracting archive|Reading composer|Cloning [0-9a-f]{6,40}|Checking out [0-9a-f]{6,40})`,
    // Haskell, PureScript, Bower
    String.raw`^(?:[\w.-]{1,60} +> )?(?:\[ *\d+ of \d+\] Compiling |(?:Configuring|Preprocessing|Building|Installing|Registering|Linking|Downloading|Downloaded|Starting|Completed) +\S|configure$|build$|copy/register$)|^Compiling [A-Z][\w.]{1,120}$`,
    String.raw`^\S{1,60}: +[\d.]+ \w{1,3} / [\d.]+ \w{1,3} \( *[\d.]+%\) downloaded|^bower \S{1,100} +(?:not-cached|resolved|cached|download|extract|validate|install|new|progress) `,
    // make, cmake, ninja, compilers, autotools
    String.raw`^\[ *\d{1,3}%\] |^make\[\d+\]: (?:Entering|Leaving) directory|^\s*(?:CC|CXX|LD|AR|GEN|CCLD|CXXLD|AS|HOSTCC|LINK|RANLIB|INSTALL|CP|YACC|LEX|GYP|TOUCH|ACTION|SOLINK|COPY)(?:\([\w.]+\))?\s{1,8}\S`,
    String.raw`^(?:\S{0,200}/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|x86_64-[\w-]{1,40}-g(?:cc|\+\+)|ccache|libtool:|/bin/(?:sh|bash) \S{0,60}libtool|ar|ranlib|ld|rm -f|ocamlc|ocamlopt|ocamlfind|rustc)\s.{0,400}`,
    String.raw`^checking (?:for|whether|how|if|the|build|host|target|command|dependency|size) .{1,200}\.\.\.|^config\.status: |^(?:configure|config): creating`,
    '^-- (?:Performing Test .{1,100}?(?: - Success)?|Detecting .{1,100}|Check(?:ing)? (?:for|if) .{1,150}|Looking for .{1,150}|Found .{1,200})$',
    // Maven, Gradle, sbt, Ivy
    String.raw`^(?:\[INFO\] |\[info\] )?(?:Downloading|Downloaded|Uploading|Uploaded|Resolving|downloading|Progress|Download) ?(?:\(\d+\))?(?: from \S+)?:? https?:`,
    String.raw`^(?:\[info\] )?(?:Download|Downloading|Downloaded|Resolving|Updating|Done updating|Getting|\s*\[SUCCESSFUL) `,
    String.raw`^(?:> Task )?:[\w:-]{2,150}(?: UP-TO-DATE| NO-SOURCE| FROM-CACHE)?$`,
    String.raw`^\[info\] (?:Compiling|Packaging|Done packaging|Main Scala|Generating|Formatting|Setting|Set current|Loading|Resolving|downloading|\s+\[SUCCESSFUL)`,
    String.raw`^\[INFO\] (?:Copying|Skipping|Using '|Nothing to compile|Changes detected|Compiling|Including|Excluding|Installing|Deleting|skip non existing|Building jar|Storing|Artifact)`,
    // bundlers
    String.raw`^transforming \(|^(?:transforming|rendering chunks|computing gzip)\b|^\s*\[built\]|^\s*\[\d+\] \S.{1,200}\{\d+\} \[built\]|^<s> \[webpack\.Progress\]`,
    // archives and copies
    String.raw`^(?:a|x|inflating|extracting|creating):? +\S+$|^\s+(?:inflating|extracting|creating|linking): \S`,
  ].join('|'),
);

/** Backspaces, with which a program rewrites its line. */
const REDRAWN = '\b\b\b\b';
const MAX_LINE = 300;
const MAX_NAME = 24;

export function isProgress(whole: string): boolean {
  if (whole.includes(REDRAWN)) return !namesTrouble(whole.slice(whole.lastIndexOf('\b') + 1));
  const line = whole.slice(0, MAX_LINE);
  return (TOOLS.test(line) || BARS.test(line) || hasBar(line)) && !namesTrouble(line) && !statesResult(line);
}

function hasBar(line: string): boolean {
  const found = BAR.exec(line);
  return found !== null && (found[0].includes('%') || found.index <= MAX_BEFORE_BAR);
}

export function markProgress(lines: readonly string[], marks: Marks): void {
  for (const [index, line] of lines.entries())
    if (marks[index] === undefined && line !== '' && isProgress(line)) marks[index] = progressMark(line);
}

function progressMark(line: string): Mark {
  const word = /[A-Za-z][\w-]{2,40}/.exec(line.slice(0, 80))?.[0] ?? '';
  return { kind: 'progress', rule: 'progress', name: word.slice(0, MAX_NAME), count: 1 };
}

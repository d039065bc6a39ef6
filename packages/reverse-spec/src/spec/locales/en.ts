import { enMessages } from './messages/en.ts';
import { inLanguage } from './messages/zh.ts';
import { type LocaleStrings, shortStrings } from './zh.ts';

const words = inLanguage('en', shortStrings);

export const en: LocaleStrings = {
  ...words,
  headings: {
    ...words.headings,
    conflicts: 'Conflicts with text written by hand',
    orphans: 'Kept text whose place is gone',
  },
  indexIntro: (count) => `${count} modules in dependency order: what others build on comes first.`,
  areasIntro: (modules, areas) =>
    `${modules} modules in ${areas} areas; the page of each area lists its modules.`,
  implementations: (list) => `Implementations: ${list}`,
  returnedBy: (names) => `Not exported; its objects are what ${names} returns.`,
  brokenFile: (problems) =>
    `_${problems} syntax error${problems === 1 ? '' : 's'} in this file; below is what could be read._`,
  reExports: (count) => `${count} re-export${count === 1 ? '' : 's'}`,
  notReachable: (count) =>
    `${count} declaration${count === 1 ? '' : 's'} that users of the package cannot reach ${count === 1 ? 'is' : 'are'} not listed.`,
  otherFiles: (paths) => `No sources: ${paths}.`,
  andMoreFiles: (shown, count) => `${shown} and more, ${count} files in all`,
  andMorePlaces: (shown, count) => `${shown} and more, ${count} places in all`,
  note: enMessages.note,
  noIntent: 'The authors wrote no words about it.',
  noWordsOnWhole:
    'The authors wrote no words about it as a whole; their comments on its declarations are below.',
  ofWhole: (words) => `Part of a project about which its authors say: ${words}`,
  pathsBelow: (folder) => `Paths are relative to ${folder}.`,
  arrowsAreCalls: 'An arrow is a call: the files import nothing from each other.',
  arrowsLeftOut: (count) =>
    `${count} arrow${count === 1 ? '' : 's'} that follow${count === 1 ? 's' : ''} from those drawn ${count === 1 ? 'is' : 'are'} left out.`,
  nodesLeftOut: (count) => `${count} more nodes with fewer connections are not drawn.`,
  criteria: { raise: (error) => `raise ${error}`, pass: (error, to) => `pass ${error} to ${to}` },
  facts: {
    ...words.facts,
    stepRuns: (field, name) => `runs what ${field} holds: ${name}`,
    stepPassesError: (error, to) => `passes ${error} to ${to}`,
    asserted: (owner, check) => `${owner} checks ${check}`,
    raised: (owner, error) => `${owner} raises ${error}`,
    passedError: (owner, error, to) => `${owner} passes ${error} to ${to}`,
    inside: (clause) => `an error is caught (${clause})`,
    passedTo: (name) => `the function passed to ${name} runs`,
    keptIn: (name) => `the function kept in ${name} runs`,
    onEvent: (event, emitter) => `${emitter} emits ${event}`,
    nothingReturned: 'the function has not returned before',
    isCase: (subject, label) => `${subject} is ${label}`,
    isNoCase: (subject) => `${subject} matches no other case`,
    places: (places) => ` (${places} places, under different conditions)`,
    limit: (name, value) => `Limit ${name} = ${value}`,
    environment: (name) => `Reads the environment variable ${name}`,
    file: (owner, call, path) => `${owner} touches files through ${call}${path === '' ? '' : `: ${path}`}`,
    more: (count) => `_${count} more not listed._`,
  },
  testedExports: (named, all) => `Uses found in tests: ${named} of ${all} exports and methods.`,
  untested: (names) => `No use found in tests: ${names}.`,
  summary: {
    title: 'Summary of the batch',
    time: (moment, seconds) => `${moment}, ${seconds.toFixed(1)} s.`,
    counts: ({ totalModules, successful, failed, skipped, degraded }) =>
      `${totalModules} modules: ${successful} written, ${failed} failed, ${skipped} unchanged, ${degraded} degraded`,
  },
  conflicts: {
    intro:
      'These sections are kept as a person wrote them. Below is what the tool would write now. Merge what you need, then delete this section.',
    edited: (section) => `section "${section}" was edited by hand and is kept as it is`,
    marked: (section) => `section "${section}" is marked as written by hand and is kept as it is`,
    differs: (section) =>
      `section "${section}": what the tool would write has changed, see "Conflicts with text written by hand"`,
    orphaned: (place) => `"${place}" is gone; the text kept there moved to the end of the document`,
  },
};

/** Words of a request that change what may be removed, in English, French and Chinese. */

const COMPLETE = [
  String.raw`\b(?:all|every|everything|everywhere|each|complete(?:ly)?|entire|whole|exhaustive|full list|how many|how often|count|number of|list (?:of|the|all|each)|rename|inventory|any other|which\b.{1,60}\b(?:without|no|not|never|lack|miss(?:es|ing)?))\b`,
  String.raw`\b(?:tous|toutes|tout|toute|chaque|chacune?|l'ensemble|intégralité|complète?s?|entière?s?|combien|nombre de|liste[rz]?|renomm\w{1,6}|recense\w{0,4}|partout|quel(?:le)?s?\b.{1,60}\b(?:sans|aucune?|jamais|manqu\w{1,5}))(?![\p{L}])`,
  '(?:所有|全部|每个|每一|每条|一切|整个|完整|多少|几个|几次|数量|列出|清单|重命名|改名|统计|哪些[^。?？]{0,40}(?:没有|缺少|未))',
].map((source) => new RegExp(source, 'iu'));

/** Whether a request asks for every member of something, or for their number. */
export function asksForAll(request: string): boolean {
  return COMPLETE.some((pattern) => pattern.test(request));
}

const PASSED = [
  /\b(?:which|what|list|names?|how many|show)\b[^.?!\n]{0,60}\b(?:pass(?:ed|es|ing)?|skip(?:ped|s)?)\b|\b(?:passing|skipped) tests\b|\b(?:slow(?:est)?|durations?|how long)\b[^.?!\n]{0,40}\btests?\b|\btests?\b[^.?!\n]{0,40}\bslow(?:est)?\b/i,
  /\b(?:quels?|liste[rz]?|combien)\b[^.?!\n]{0,60}\b(?:réussi|pass|ignoré|saut)\w{0,4}|\b(?:lents?|durées?)\b[^.?!\n]{0,40}\btests?\b|\btests?\b[^.?!\n]{0,40}\blents?\b/iu,
  /(?:哪些|列出|多少)[^。？?\n]{0,30}(?:通过|跳过)|最慢[^。？?\n]{0,20}测试|测试[^。？?\n]{0,20}最慢/u,
];

/** Whether a request asks for tests that passed or were skipped, so that they are not noise. */
export function asksForPassedTests(request: string): boolean {
  return PASSED.some((pattern) => pattern.test(request));
}

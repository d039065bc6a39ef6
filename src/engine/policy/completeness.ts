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
  /\b(?:which|what|list|names?|how many|show|slow(?:est)?|durations?)\b[^.?!\n]{0,60}\b(?:pass(?:ed|es|ing)?|tests?)\b|\bpassing tests\b/i,
  /\b(?:quels?|liste[rz]?|combien|lents?)\b[^.?!\n]{0,60}\b(?:réussi\w{0,3}|pass\w{1,4}|tests?)(?![\p{L}])/iu,
  /(?:哪些|列出|多少|最慢)[^。？?\n]{0,30}(?:通过|测试)/u,
];

/** Whether a request asks for tests that passed, so that they are not noise. */
export function asksForPassedTests(request: string): boolean {
  return PASSED.some((pattern) => pattern.test(request));
}

import { describe, expect, it } from 'vitest';
import {
  asksForAll,
  asksForPassedTests,
  asksToCompare,
  DEFAULT_SIZES,
  type PolicyRequest,
  rulesFor,
} from '../../../packages/engine/src/policy/policy.ts';

const rules = (asked: Partial<PolicyRequest>) =>
  rulesFor({
    request: 'precise',
    format: 'plain',
    characters: 10_000,
    words: '',
    isExplicit: false,
    sizes: DEFAULT_SIZES,
    disabled: new Set(),
    ...asked,
  });

describe('rulesFor', () => {
  it.each(['search', 'listing', 'table', 'config', 'json', 'log', 'test-run'] as const)(
    '[P51] rulesFor allows only lossless rules for a precise request of format %s up to 16,000 characters',
    (format) => {
      expect([...rules({ format, characters: 16_000 })].sort()).toEqual(['identical-lines', 'shown-before']);
      expect(rules({ format, characters: 16_001 }).has('oversized-rows')).toBe(true);
    },
  );

  it('[P51] rulesFor forbids shortening code that was requested by line numbers, up to 32,000 characters', () => {
    expect(rules({ format: 'code', characters: 32_000 }).has('unrelated-units')).toBe(false);
    expect(rules({ format: 'code', characters: 32_001 }).has('unrelated-units')).toBe(true);
  });

  it('[P51] rulesFor forbids removal by relevance in dumps of tables, configuration, JSON and listings', () => {
    for (const format of ['table', 'config', 'json', 'listing'] as const)
      expect(rules({ request: 'dump', format }).has('unrelated-units')).toBe(false);
  });

  it('[P58] rulesFor forbids removal by relevance in a text of unknown format', () => {
    for (const request of ['precise', 'dump', 'unknown'] as const)
      expect(rules({ request, format: 'plain', characters: 100_000 }).has('unrelated-units')).toBe(false);
  });

  it('[P53] rulesFor lets similar log lines be removed from MCP results above 6,000 characters', () => {
    const asked = { request: 'result', format: 'log' } as const;
    expect(rules({ ...asked, characters: 6000 }).has('repeated-lines')).toBe(false);
    expect(rules({ ...asked, characters: 6001 }).has('repeated-lines')).toBe(true);
  });

  it.each(['build', 'test-run'] as const)(
    '[P51] rulesFor allows only lossless rules for a %s of up to 16,000 characters that an MCP tool returned',
    (format) => {
      const asked = { request: 'result', format } as const;
      expect([...rules({ ...asked, characters: 16_000 })].sort()).toEqual([
        'identical-lines',
        'shown-before',
      ]);
      expect(rules({ ...asked, characters: 16_001 }).has('repeated-lines')).toBe(true);
    },
  );

  it('[P55] rulesFor lets passed tests be removed if a precise request returns a test run above 16,000 characters', () => {
    expect(rules({ format: 'test-run', characters: 16_001 }).has('passed-tests')).toBe(true);
  });

  it('[P51] rulesFor allows no rule for the report of a subagent', () => {
    expect(rules({ request: 'report', characters: 1_000_000 }).size).toBe(0);
  });

  it('[P53] rulesFor lets noise be removed from test runs, but lets no line be removed by relevance below 16,000 characters', () => {
    const allowed = rules({ request: 'run', format: 'test-run' });
    for (const rule of ['passed-tests', 'progress', 'repeated-lines', 'library-frames'] as const)
      expect(allowed.has(rule)).toBe(true);
    expect(allowed.has('unrelated-units')).toBe(false);
    expect(allowed.has('shown-before')).toBe(false);
  });

  it('[P53] rulesFor lets similar lines be removed from a log file that `cat` prints', () => {
    expect(rules({ request: 'dump', format: 'log' }).has('repeated-lines')).toBe(true);
  });

  it('[P54] rulesFor lets functions and sections of whole files be removed above 6,000 characters', () => {
    for (const format of ['code', 'document'] as const) {
      expect(rules({ request: 'dump', format, characters: 6000 }).has('unrelated-units')).toBe(false);
      expect(rules({ request: 'dump', format, characters: 6001 }).has('unrelated-units')).toBe(true);
    }
  });

  it('[A6] rulesFor forbids shortening diffs up to 20,000 characters, and precisely requested diffs up to 40,000', () => {
    expect(rules({ request: 'diff', format: 'diff', characters: 20_000 }).has('diff-parts')).toBe(false);
    expect(rules({ request: 'diff', format: 'diff', characters: 20_001 }).has('diff-parts')).toBe(true);
    // `ruby edit.rb && git diff`: a script that the agent wrote, and its changes.
    expect(rules({ request: 'precise', format: 'diff', characters: 40_000 }).has('diff-parts')).toBe(false);
    expect(rules({ request: 'run', format: 'diff', characters: 40_000 }).has('diff-parts')).toBe(false);
    expect(rules({ request: 'precise', format: 'diff', characters: 40_001 }).has('diff-parts')).toBe(true);
  });

  it.each(['rename it everywhere', 'renomme toutes les occurrences', '列出所有的引用'])(
    '[P55] rulesFor doubles the size limit if the request asks for all of something: %s',
    (words) => {
      expect(rules({ words, format: 'listing', characters: 30_000 }).has('oversized-rows')).toBe(false);
      expect(rules({ words, format: 'listing', characters: 32_001 }).has('oversized-rows')).toBe(true);
    },
  );

  it.each(['I want to read the whole parser', 'je veux le fichier en entier', '我想看整个文件'])(
    '[P55] [P57] rulesFor forbids shortening a file that the request wants to read as a whole: %s',
    (words) => {
      const dump = { request: 'dump', format: 'code', words } as const;
      expect(rules({ ...dump, characters: 31_000 }).has('unrelated-units')).toBe(false);
      expect(rules({ ...dump, words: 'look at the parser', characters: 31_000 }).has('unrelated-units')).toBe(
        true,
      );
    },
  );

  it('[P55] rulesFor lets only opaque JSON fields be removed above the size limit if the request asks for all records', () => {
    const json = (characters: number) => rules({ words: 'list all open issues', format: 'json', characters });
    expect(json(16_000).has('record-fields')).toBe(false);
    expect(json(16_001).has('record-fields')).toBe(true);
    expect(json(32_000).has('oversized-rows')).toBe(false);
    expect(json(32_001).has('oversized-rows')).toBe(true);
  });

  it('[P51] rulesFor allows every rule if the caller explicitly asked for a shortened text', () => {
    expect(rules({ isExplicit: true, format: 'search', characters: 2000 }).has('oversized-rows')).toBe(true);
  });

  it('[P58] rulesFor leaves out rules that the settings switch off', () => {
    expect(
      rules({ request: 'run', format: 'log', disabled: new Set(['repeated-lines']) }).has('repeated-lines'),
    ).toBe(false);
  });
});

describe('[P57] asksToCompare', () => {
  it.each([
    'which is the cheapest connection that leaves at 17:00 or later?',
    'the newest of the three',
    'rooms under €120',
    'the minimum of the three prices',
    'Which invoices have more than one charge?',
    'le vol le plus rapide après 17 h',
    '哪个连接最便宜',
  ])('asksToCompare returns true for a request that looks for members by a comparison: %s', (request) => {
    expect(asksToCompare(request)).toBe(true);
  });

  it.each([
    'put the Trail Runner 3 in blue into the cart',
    'Open the form to edit the account of petra.w',
    'Quelle solution a été trouvée dans ce fil ?',
    'which process is busy',
    'set the minimum stay of the family suite to three nights',
    '打开设置页面',
  ])('asksToCompare returns false for a request that names one member: %s', (request) => {
    expect(asksToCompare(request)).toBe(false);
  });
});

describe('[P57] asksForAll', () => {
  it.each([
    'list all callers of parse',
    'Rename before_request everywhere',
    'how many tests are there?',
    'which services have no restart policy',
    'every place that uses the token',
    'Give me an inventory of the host',
    'is there any other place?',
    'count the warnings',
    'the complete list of flags',
    'which packages lack a licence?',
  ])('asksForAll returns true for the English request: %s', (request) => {
    expect(asksForAll(request)).toBe(true);
  });

  it.each([
    'liste tous les appels de parse',
    'renommer la fonction partout',
    'combien de tests échouent ?',
    'quels services sans politique de redémarrage',
    'chaque endroit où le jeton est lu',
    'toutes les erreurs du journal',
    'recenser les dépendances',
    "l'ensemble des routes",
    'donne la liste complète des options',
    'quelles tables n’ont aucune clé',
  ])('asksForAll returns true for the French request: %s', (request) => {
    expect(asksForAll(request)).toBe(true);
  });

  it.each([
    '列出所有测试',
    '全部改名',
    '一共有多少个错误',
    '哪些服务没有重启策略',
    '每个调用的位置',
    '给我完整的清单',
    '重命名这个函数',
    '统计警告的数量',
    '整个文件里的引用',
    '每一处都要改',
  ])('asksForAll returns true for the Chinese request: %s', (request) => {
    expect(asksForAll(request)).toBe(true);
  });

  it.each([
    'where is getPath defined?',
    'pourquoi le test échoue',
    '为什么测试失败',
    'PostNord rejects every parcel. What changed?',
    "I'll list the issues and compare the two.",
    'How do I limit the number of connections?',
    'The keys should be gone completely. How is the option written?',
  ])('asksForAll returns false for a request without a list, and for a reported fact: %s', (request) => {
    expect(asksForAll(request)).toBe(false);
  });
});

describe('[P57] asksForPassedTests', () => {
  it.each(['which tests passed?', 'the slowest test', 'quels tests sont réussis', '哪些测试通过了'])(
    'asksForPassedTests returns true for %s',
    (request) => {
      expect(asksForPassedTests(request)).toBe(true);
    },
  );

  it.each(['make sure that all tests pass', 'fix the parser', '修复解析器'])(
    'asksForPassedTests returns false for %s',
    (request) => {
      expect(asksForPassedTests(request)).toBe(false);
    },
  );
});

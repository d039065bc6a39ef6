import { inLanguage, type TextTable, zhMessages } from './messages/zh.ts';

/** Short texts of documents, in all languages. Arguments that come from facts are Markdown. */
export const shortStrings = {
  sections: {
    intent: ['意图', 'Intent', 'Intention'],
    interface: ['接口定义', 'Interface', 'Interface publique'],
    businessLogic: ['业务逻辑', 'Business logic', 'Logique métier'],
    dataStructures: ['数据结构', 'Data structures', 'Structures de données'],
    constraints: ['约束条件', 'Constraints', 'Contraintes'],
    edgeCases: ['边界条件', 'Edge cases', 'Cas limites'],
    technicalDebt: ['技术债务', 'Technical debt', 'Dette technique'],
    testCoverage: ['测试覆盖', 'Test coverage', 'Couverture par les tests'],
    dependencies: ['依赖关系', 'Dependencies', 'Dépendances'],
    modules: ['模块', 'Modules', 'Modules du projet'],
    moduleGraph: ['模块依赖图', 'Module graph', 'Graphe des modules'],
  },
  headings: {
    usage: ['用法示例', 'Usage', "Exemples d'utilisation"],
    diagram: ['依赖图', 'Dependency graph', 'Graphe des dépendances'],
    fileList: ['文件清单', 'Files', 'Fichiers'],
    criteria: ['验收标准', 'Acceptance criteria', 'Critères d’acceptation'],
  },
  title: (label: string) => [`${label} 规格说明`, `Specification of ${label}`, `Spécification de ${label}`],
  indexTitle: ['项目规格索引', 'Index of specifications', 'Index des spécifications'],
  areaTitle: (label: string) => [`${label} 的模块`, `Modules of ${label}`, `Modules de ${label}`],
  notWritten: ['未生成', 'not written', 'non écrit'],
  nothing: ['无。', 'Nothing.', 'Rien.'],
  listComma: ['、', ', ', ', '],
  noExports: ['没有导出的符号。', 'No exported symbols.', 'Aucun symbole exporté.'],
  columns: {
    outcome: ['结果', 'Outcome', 'Résultat'],
    why: ['原因', 'Why', 'Raison'],
    module: ['模块', 'Module', 'Module'],
    area: ['区域', 'Area', 'Domaine'],
    moduleCount: ['模块数', 'Modules', 'Modules'],
    entryPoints: ['入口', 'Entry points', 'Points d’entrée'],
    fileCount: ['文件数', 'Files', 'Fichiers'],
    confidence: ['可信度', 'Confidence', 'Confiance'],
    name: ['名称', 'Name', 'Nom'],
    kind: ['种类', 'Kind', 'Genre'],
    members: ['成员数', 'Members', 'Membres'],
    place: ['位置', 'Place', 'Emplacement'],
    remark: ['说明', 'Remark', 'Remarque'],
    file: ['文件', 'File', 'Fichier'],
    insideModule: ['模块内依赖', 'In this module', 'Dans ce module'],
    insideProject: ['项目内依赖', 'In the project', 'Dans le projet'],
    externalModule: ['外部模块', 'External module', 'Module externe'],
    usedBy: ['使用者', 'Used by', 'Utilisé par'],
    language: ['语言', 'Language', 'Langage'],
    lineCount: ['行数', 'Lines', 'Lignes'],
    exports: ['导出', 'Exports', 'Exports'],
    note: ['备注', 'Note', 'Note'],
    mark: ['标记', 'Mark', 'Marque'],
    content: ['内容', 'Text', 'Texte'],
    export: ['导出', 'Export', 'Export'],
    tests: ['调用它的测试', 'Tests that call it', 'Tests qui l’appellent'],
  },
  internalKind: (kind: string) => [`${kind}（内部）`, `${kind} (internal)`, `${kind} (interne)`],
  syntaxError: ['语法错误', 'syntax error', 'erreur de syntaxe'],
  declares: (names: string) => [`声明 ${names}`, `declares ${names}`, `déclare ${names}`],
  noEdges: ['没有可画出的依赖。', 'No dependencies to draw.', 'Aucune dépendance à dessiner.'],
  inferredFrom: (links: string) => [`推断自 ${links}`, `inferred from ${links}`, `déduit de ${links}`],
  facts: {
    stepIf: (conditions: string) => [`若 ${conditions}：`, `If ${conditions}: `, `Si ${conditions} : `],
    stepCalls: (name: string) => [`调用 ${name}`, `calls ${name}`, `appelle ${name}`],
    stepConstructs: (name: string) => [
      `调用 ${name} 的构造函数`,
      `calls the constructor of ${name}`,
      `appelle le constructeur de ${name}`,
    ],
    stepCreates: (name: string) => [`创建 ${name}`, `creates ${name}`, `crée ${name}`],
    /** A function is passed as a value. */
    stepPasses: (name: string) => [`传递 ${name}`, `passes ${name} on`, `transmet ${name}`],
    stepReturns: (step: string) => [`${step}，然后返回`, `${step}, and returns`, `${step}, puis termine`],
    implementedBy: (names: string) => [
      `（由 ${names} 实现）`,
      ` (implemented by ${names})`,
      ` (réalisé par ${names})`,
    ],
    /** `value` is empty or begins with a space. */
    stepEnds: (value: string) => [
      `返回${value}`,
      `returns${value}`,
      `renvoie${value === '' ? ' rien' : value}`,
    ],
    stepRaises: (error: string) => [`抛出 ${error}`, `raises ${error}`, `lève ${error}`],
    when: (conditions: string) => [`，当 ${conditions} 时`, ` if ${conditions}`, ` si ${conditions}`],
    not: (condition: string) => [`非 ${condition}`, `not ${condition}`, `pas ${condition}`],
    and: [' 且 ', ' and ', ' et '],
    returnedRuns: ['返回的函数被执行', 'the returned function runs', 'la fonction renvoyée est exécutée'],
    functionEnds: ['函数结束', 'the function ends', 'la fonction se termine'],
    noCase: ['其他情况均不成立', 'no other case applies', 'aucun autre cas ne s’applique'],
    anError: ['错误', 'an error', 'une erreur'],
    message: (text: string) => [`（${text}）`, ` (${text})`, ` (${text})`],
    address: (name: string) => [`使用地址 ${name}`, `Uses the address ${name}`, `Utilise l’adresse ${name}`],
    deprecated: ['已弃用', 'deprecated', 'déprécié'],
    suppressed: ['关闭的检查', 'suppressed check', 'contrôle désactivé'],
  },
  /** Reasons why a document was written again. */
  reasons: {
    forced: ['强制', 'forced', 'forcé'],
    new: ['新增', 'new', 'nouveau'],
    structure: ['结构变化', 'structure changed', 'structure changée'],
    comments: ['注释变化', 'comments changed', 'commentaires changés'],
    tests: ['测试变化', 'tests changed', 'tests changés'],
    code: ['代码事实变化', 'code changed', 'code changé'],
    model: ['模型不同', 'another model', 'autre modèle'],
    language: ['语言不同', 'another language', 'autre langue'],
    tool: ['工具版本不同', 'another tool version', 'autre version de l’outil'],
    degraded: ['上次降级', 'degraded last time', 'incomplet la dernière fois'],
    baseline: ['基线缺失或损坏', 'baseline missing or damaged', 'référence absente ou abîmée'],
    criteria: ['要求验收标准', 'criteria requested', 'critères demandés'],
  },
  outcomes: {
    unaffordable: ['超出费用上限', 'over the cost limit', 'au-dessus du budget'],
    written: ['成功', 'written', 'écrit'],
    degraded: ['降级', 'degraded', 'incomplet'],
    failed: ['失败', 'failed', 'échec'],
    skipped: ['跳过', 'unchanged', 'inchangé'],
  },
} satisfies TextTable;

const words = inLanguage('zh', shortStrings);

/** Texts of a document that are neither source text nor prose. All languages have the same keys. */
export const zh = {
  ...words,
  headings: {
    ...words.headings,
    conflicts: '与人工内容的冲突',
    orphans: '原位置已不存在的保留内容',
  },
  indexIntro: (count: number) => `共 ${count} 个模块，按依赖顺序排列：被依赖者在前。`,
  areasIntro: (modules: number, areas: number) =>
    `共 ${modules} 个模块，分为 ${areas} 个区域；每个区域的页面列出它的模块。`,
  /** A type is not exported, but exported functions return objects of it. */
  implementations: (list: string) => `实现：${list}`,
  returnedBy: (names: string) => `未导出，其对象由 ${names} 返回。`,
  brokenFile: (problems: number) => `_该文件有 ${problems} 处语法错误，以下为可识别的部分。_`,
  reExports: (count: number) => `转导出 ${count} 项`,
  notReachable: (count: number) => `有 ${count} 个声明对包的使用者不可见，未列出。`,
  /** The module contains files that are not sources. */
  otherFiles: (paths: string) => `非源代码：${paths}。`,
  andMoreFiles: (shown: string, count: number) => `${shown} 等 ${count} 个文件`,
  andMorePlaces: (shown: string, count: number) => `${shown} 等 ${count} 处`,
  note: zhMessages.note,
  noIntent: '作者没有写下关于它的说明。',
  /** The authors only commented on single declarations. */
  noWordsOnWhole: '作者没有写下关于整体的说明；对各声明的注释见下文。',
  /** Quotes the README of the project that contains the module. */
  ofWhole: (words: string) => `属于一个项目，其作者写道：${words}`,
  /** Names the folder to which shortened paths are relative. */
  pathsBelow: (folder: string) => `路径相对于 ${folder}。`,
  arrowsAreCalls: '箭头表示调用：这些文件互不导入。',
  /** Number of edges that are omitted because other edges imply them. */
  arrowsLeftOut: (count: number) => `另有 ${count} 条可由所画箭头推出，未画。`,
  nodesLeftOut: (count: number) => `另有 ${count} 个节点连接较少，未画出。`,
  criteria: {
    raise: (error: string) => `抛出 ${error}`,
    pass: (error: string, to: string) => `将 ${error} 传给 ${to}`,
  },
  facts: {
    ...words.facts,
    stepRuns: (field: string, name: string) => `运行 ${field} 所存的 ${name}`,
    /** An error is passed to a callback. */
    stepPassesError: (error: string, to: string) => `将 ${error} 传给 ${to}`,
    asserted: (owner: string, check: string) => `${owner} 检查 ${check}`,
    raised: (owner: string, error: string) => `${owner} 抛出 ${error}`,
    passedError: (owner: string, error: string, to: string) => `${owner} 将 ${error} 传给 ${to}`,
    /** Code runs in a clause that catches an error. */
    inside: (clause: string) => `捕获到错误（${clause}）`,
    /** Code runs in a function that is passed to another function. */
    passedTo: (name: string) => `传给 ${name} 的函数被执行`,
    keptIn: (name: string) => `保存在 ${name} 中的函数被执行`,
    onEvent: (event: string, emitter: string) => `${emitter} 触发 ${event}`,
    nothingReturned: '函数此前没有返回',
    isCase: (subject: string, label: string) => `${subject} 为 ${label}`,
    isNoCase: (subject: string) => `${subject} 不属于其他情况`,
    places: (places: number) => `（共 ${places} 处，条件不同）`,
    limit: (name: string, value: string) => `上限或常量 ${name} = ${value}`,
    environment: (name: string) => `读取环境变量 ${name}`,
    file: (owner: string, call: string, path: string) =>
      `${owner} 通过 ${call} 访问文件${path === '' ? '' : ` ${path}`}`,
    more: (count: number) => `_另有 ${count} 项未列出。_`,
  },
  testedExports: (named: number, all: number) => `在测试中找到使用：${all} 个导出与方法中的 ${named} 个。`,
  untested: (names: string) => `未在测试中找到使用：${names}。`,
  summary: {
    title: '批量生成摘要',
    time: (moment: string, seconds: number) => `${moment}，耗时 ${seconds.toFixed(1)} 秒。`,
    counts: ({ totalModules, successful, failed, skipped, degraded }: BatchCounts) =>
      `模块 ${totalModules}：成功 ${successful}，失败 ${failed}，跳过 ${skipped}，降级 ${degraded}`,
  },
  /** Messages about sections that a user edited and that the tool would write differently. */
  conflicts: {
    intro: '以下章节由人工维护，未被改写；工具现在会写的内容如下。合并后请删除本节。',
    edited: (section: string) => `章节「${section}」被人工修改过，已原样保留`,
    marked: (section: string) => `章节「${section}」标记为人工维护，已原样保留`,
    differs: (section: string) => `章节「${section}」的新内容与人工内容不同，见「与人工内容的冲突」`,
    orphaned: (place: string) => `「${place}」已不存在，其中的保留内容移到了文末`,
  },
};

type BatchCounts = Record<'totalModules' | 'successful' | 'failed' | 'skipped' | 'degraded', number>;

export type LocaleStrings = typeof zh;

import { zhMessages } from './messages/zh.ts';

/** All texts of a document that are neither source text nor prose. Other languages must have the same keys. */
export const zh = {
  sections: {
    intent: '意图',
    interface: '接口定义',
    businessLogic: '业务逻辑',
    dataStructures: '数据结构',
    constraints: '约束条件',
    edgeCases: '边界条件',
    technicalDebt: '技术债务',
    testCoverage: '测试覆盖',
    dependencies: '依赖关系',
    modules: '模块',
    moduleGraph: '模块依赖图',
  },
  headings: {
    usage: '用法示例',
    diagram: '依赖图',
    fileList: '文件清单',
    conflicts: '与人工内容的冲突',
    orphans: '原位置已不存在的保留内容',
    criteria: '验收标准',
  },
  title: (label: string) => `${label} 规格说明`,
  indexTitle: '项目规格索引',
  indexIntro: (count: number) => `共 ${count} 个模块，按依赖顺序排列：被依赖者在前。`,
  areasIntro: (modules: number, areas: number) =>
    `共 ${modules} 个模块，分为 ${areas} 个区域；每个区域的页面列出它的模块。`,
  areaTitle: (label: string) => `${label} 的模块`,
  notWritten: '未生成',
  nothing: '无。',
  listComma: '、',
  /** For a type that is not exported but whose objects are returned by functions. */
  implementations: (list: string) => `实现：${list}`,
  returnedBy: (names: string) => `未导出，其对象由 ${names} 返回。`,
  noExports: '没有导出的符号。',
  brokenFile: (problems: number) => `_该文件有 ${problems} 处语法错误，以下为可识别的部分。_`,
  columns: {
    outcome: '结果',
    why: '原因',
    module: '模块',
    area: '区域',
    moduleCount: '模块数',
    entryPoints: '入口',
    fileCount: '文件数',
    confidence: '可信度',
    name: '名称',
    kind: '种类',
    members: '成员数',
    place: '位置',
    remark: '说明',
    file: '文件',
    insideModule: '模块内依赖',
    insideProject: '项目内依赖',
    externalModule: '外部模块',
    usedBy: '使用者',
    language: '语言',
    lineCount: '行数',
    exports: '导出',
    note: '备注',
    mark: '标记',
    content: '内容',
    export: '导出',
    tests: '调用它的测试',
  },
  internalKind: (kind: string) => `${kind}（内部）`,
  reExports: (count: number) => `转导出 ${count} 项`,
  notReachable: (count: number) => `有 ${count} 个声明对包的使用者不可见，未列出。`,
  /** Lists files of the module that are not sources. */
  otherFiles: (paths: string) => `非源代码：${paths}。`,
  andMoreFiles: (shown: string, count: number) => `${shown} 等 ${count} 个文件`,
  andMorePlaces: (shown: string, count: number) => `${shown} 等 ${count} 处`,
  syntaxError: '语法错误',
  note: zhMessages.note,
  noIntent: '作者没有写下关于它的说明。',
  /** Used if there are only comments on declarations. */
  noWordsOnWhole: '作者没有写下关于整体的说明；对各声明的注释见下文。',
  /** Introduces the README of a project of which the module is a part. */
  ofWhole: (words: string) => `属于一个项目，其作者写道：${words}`,
  /** Lists the names that a module declares. */
  declares: (names: string) => `声明 ${names}`,
  /** Names the folder to which shortened paths are relative. */
  pathsBelow: (folder: string) => `路径相对于 ${folder}。`,
  arrowsAreCalls: '箭头表示调用：这些文件互不导入。',
  noEdges: '没有可画出的依赖。',
  /** Number of edges left out because other edges imply them. */
  arrowsLeftOut: (count: number) => `另有 ${count} 条可由所画箭头推出，未画。`,
  nodesLeftOut: (count: number) => `另有 ${count} 个节点连接较少，未画出。`,
  /** Texts for facts of the syntax tree. All arguments are Markdown. */
  inferredFrom: (links: string) => `推断自 ${links}`,
  criteria: {
    raise: (error: string) => `抛出 ${error}`,
    pass: (error: string, to: string) => `将 ${error} 传给 ${to}`,
  },
  facts: {
    stepIf: (conditions: string) => `若 ${conditions}：`,
    stepCalls: (name: string) => `调用 ${name}`,
    stepCreates: (name: string) => `创建 ${name}`,
    /** For a function that is passed as a value. */
    stepPasses: (name: string) => `传递 ${name}`,
    /** For a call of the function that a field holds. */
    stepReturns: (step: string) => `${step}，然后返回`,
    stepRuns: (field: string, name: string) => `运行 ${field} 所存的 ${name}`,
    stepRaises: (error: string) => `抛出 ${error}`,
    /** For an error that is passed to a callback. */
    stepPassesError: (error: string, to: string) => `将 ${error} 传给 ${to}`,
    asserted: (owner: string, check: string) => `${owner} 检查 ${check}`,
    raised: (owner: string, error: string) => `${owner} 抛出 ${error}`,
    passedError: (owner: string, error: string, to: string) => `${owner} 将 ${error} 传给 ${to}`,
    when: (conditions: string) => `，当 ${conditions} 时`,
    not: (condition: string) => `非 ${condition}`,
    and: ' 且 ',
    /** For code in a clause that catches an error. */
    inside: (clause: string) => `捕获到错误（${clause}）`,
    returnedRuns: '返回的函数被执行',
    /** For code in a function that is passed to another function. */
    passedTo: (name: string) => `传给 ${name} 的函数被执行`,
    onEvent: (event: string, emitter: string) => `${emitter} 触发 ${event}`,
    functionEnds: '函数结束',
    nothingReturned: '函数此前没有返回',
    isCase: (subject: string, label: string) => `${subject} 为 ${label}`,
    isNoCase: (subject: string) => `${subject} 不属于其他情况`,
    noCase: '其他情况均不成立',
    places: (places: number) => `（共 ${places} 处，条件不同）`,
    anError: '错误',
    message: (text: string) => `（${text}）`,
    limit: (name: string, value: string) => `上限或常量 ${name} = ${value}`,
    environment: (name: string) => `读取环境变量 ${name}`,
    file: (owner: string, call: string, path: string) =>
      `${owner} 通过 ${call} 访问文件${path === '' ? '' : ` ${path}`}`,
    address: (name: string) => `使用地址 ${name}`,
    deprecated: '已弃用',
    suppressed: '关闭的检查',
    more: (count: number) => `_另有 ${count} 项未列出。_`,
  },
  testedExports: (named: number, all: number) => `在测试中找到使用：${all} 个导出与方法中的 ${named} 个。`,
  untested: (names: string) => `未在测试中找到使用：${names}。`,
  /** Reasons why a document was written again. */
  reasons: {
    forced: '强制',
    new: '新增',
    structure: '结构变化',
    comments: '注释变化',
    tests: '测试变化',
    code: '代码事实变化',
    model: '模型不同',
    language: '语言不同',
    tool: '工具版本不同',
    degraded: '上次降级',
    baseline: '基线缺失或损坏',
    criteria: '要求验收标准',
  },
  outcomes: {
    unaffordable: '超出费用上限',
    written: '成功',
    degraded: '降级',
    failed: '失败',
    skipped: '跳过',
  },
  summary: {
    title: '批量生成摘要',
    time: (moment: string, seconds: number) => `${moment}，耗时 ${seconds.toFixed(1)} 秒。`,
    counts: ({ totalModules, successful, failed, skipped, degraded }: BatchCounts) =>
      `模块 ${totalModules}：成功 ${successful}，失败 ${failed}，跳过 ${skipped}，降级 ${degraded}`,
  },
  /** Warnings about text of a user that differs from what the tool would write. */
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

import type { FileNote } from '../../reading/facts.ts';

/** Languages of documents and messages. The columns of `Row` have the same order. */
export const documentLanguages = ['zh', 'en', 'fr'] as const;

export type DocumentLanguage = (typeof documentLanguages)[number];

/** A text in each language. */
type Row = readonly [zh: string, en: string, fr: string];
type Entry = Row | ((...values: never[]) => Row) | TextTable;

/** Table of short texts, with all languages of a text on one line. */
export interface TextTable {
  readonly [name: string]: Entry;
}

/** The entries of a table in one language. */
type InLanguage<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Row
    ? string
    : Table[Name] extends (...values: infer Values) => Row
      ? (...values: Values) => string
      : InLanguage<Table[Name]>;
};

export function inLanguage<Table extends TextTable>(
  language: DocumentLanguage,
  table: Table,
): InLanguage<Table> {
  const column = documentLanguages.indexOf(language) as 0 | 1 | 2;
  const textOf = (entry: Entry): unknown => {
    if (typeof entry === 'function') return (...values: never[]) => entry(...values)[column];
    return isRow(entry) ? entry[column] : inLanguage(language, entry);
  };
  const texts = Object.entries(table).map(([name, entry]) => [name, textOf(entry)]);
  return Object.fromEntries(texts) as InLanguage<Table>;
}

function isRow(entry: Row | TextTable): entry is Row {
  return Array.isArray(entry);
}

/** Short messages in all languages. Longer ones are in one file per language. */
export const shortMessages = {
  damages: {
    'open-comment': ['注释没有结尾', 'its comment has no end', 'commentaire sans fin'],
    format: ['格式标记无法识别', 'its format is unknown', 'format inconnu'],
    checksum: ['校验和不符', 'its checksum does not match', 'somme de contrôle différente'],
    structure: ['结构无法识别', 'its structure is unknown', 'structure inconnue'],
    encoding: ['内容无法解码', 'it cannot be decoded', 'contenu illisible'],
  },
  reasons: {
    'bad-request': ['请求无效', 'bad request', 'requête invalide'],
    unauthorised: ['认证失败', 'authentication failed', 'authentification refusée'],
    'no-credit': ['余额不足', 'no credit left', 'crédit épuisé'],
    forbidden: ['没有权限', 'not permitted', 'accès interdit'],
    'not-found': ['模型或地址不存在', 'the model or address does not exist', 'modèle ou adresse inconnus'],
    timeout: ['请求超时', 'the request timed out', 'délai dépassé'],
    'too-large': ['请求过大', 'the request is too large', 'requête trop grande'],
    'rate-limit': ['速率限制', 'rate limit', 'limite de débit'],
    'server-error': ['服务器错误', 'server error', 'erreur du serveur'],
    'internal-error': ['服务器内部错误', 'internal server error', 'erreur interne du serveur'],
    unavailable: ['服务不可用', 'the service is unavailable', 'service indisponible'],
    'gateway-timeout': ['网关超时', 'gateway timeout', 'délai de la passerelle dépassé'],
    overloaded: ['服务过载', 'the service is overloaded', 'service surchargé'],
    refused: ['请求被拒绝', 'the request was refused', 'requête refusée'],
    cancelled: ['请求已取消', 'the request was cancelled', 'requête annulée'],
    unreachable: ['无法连接', 'cannot be reached', 'injoignable'],
    'strange-answer': [
      '返回了无法识别的响应',
      'sent a response of unknown format',
      'réponse de forme inconnue',
    ],
  },
  notes: {
    binary: ['二进制文件，已跳过', 'binary file, skipped', 'fichier binaire, ignoré'],
    'unknown-language': ['未知语言，未解析', 'unknown language, not parsed', 'langage inconnu, non analysé'],
    unreadable: ['无法读取，已跳过', 'cannot be read, skipped', 'illisible, ignoré'],
    failed: ['解析失败，已跳过', 'parsing failed, skipped', 'analyse échouée, ignoré'],
    'unreadable-folder': [
      '目录无法读取，已跳过',
      'folder cannot be read, skipped',
      'dossier illisible, ignoré',
    ],
    'name-not-utf8': [
      '文件名不是有效的 UTF-8，已跳过',
      'its name is not UTF-8, skipped',
      "son nom n'est pas en UTF-8, ignoré",
    ],
    'secret-in-name': [
      '文件名中含有密钥，已跳过',
      'a secret is part of its name, skipped',
      'son nom contient un secret, ignoré',
    ],
  },
  stages: {
    scan: ['扫描', 'scan', 'parcours'],
    parse: ['解析', 'parse', 'analyse'],
    context: ['组装上下文', 'context', 'contexte'],
    write: (model: string) => [`撰写（${model}）`, `write (${model})`, `rédaction (${model})`],
    render: ['渲染', 'render', 'rendu'],
  },
  drift: {
    report: {
      title: ['Spec 漂移报告', 'Spec drift', 'Dérive de la spec'],
      severities: {
        HIGH: ['HIGH（高）', 'HIGH', 'HIGH (grave)'],
        MEDIUM: ['MEDIUM（中）', 'MEDIUM', 'MEDIUM (moyenne)'],
        LOW: ['LOW（低）', 'LOW', 'LOW (faible)'],
      },
      rows: {
        version: ['spec 版本', 'spec version', 'version de la spec'],
        source: ['源代码', 'source', 'code'],
        time: ['检测时间', 'checked at', 'vérifié le'],
        total: ['变更总数', 'changes', 'changements'],
        kinds: ['新增 / 移除 / 修改', 'added / removed / changed', 'ajouts / retraits / modifications'],
        noise: ['已过滤的噪声', 'differences without meaning', 'différences sans portée'],
      },
      advice: (text: string) => [`**建议**：${text}`, `**Advice**: ${text}`, `**Conseil** : ${text}`],
      before: ['原：', 'Before:', 'Avant :'],
      now: ['现：', 'Now:', 'Maintenant :'],
      update: (text: string) => [`建议更新：${text}`, `Update: ${text}`, `À mettre à jour : ${text}`],
    },
  },
} satisfies TextTable;

const words = inLanguage('zh', shortMessages);

const REWRITE = '请对同一目标重新运行 generate。';
const aspects = { type: '类型', signature: '签名' };

const tooLarge = (bytes: number, maxBytes: number) =>
  `文件过大（${bytes} 字节，上限 ${maxBytes}，由 REVERSE_SPEC_MAX_FILE_BYTES 设置），已跳过`;

const types = { string: '字符串', boolean: '布尔值', integer: '整数', number: '数字' };

function wrongArgument({ name, isMissing, expected }: WrongArgument): string {
  const { type, minimum, maximum, choices } = expected;
  const range = minimum === undefined || maximum === undefined ? '' : ` ${minimum} 到 ${maximum} 的`;
  const wanted = choices === undefined ? `${range}${types[type]}` : `以下之一: ${choices.join('、')}`;
  return isMissing ? `${name} 缺失（必须是${wanted}）` : `${name} 必须是${wanted}`;
}

const failures: FailureTexts = {
  invalid_arguments: ({ wrong }) => ({ message: `参数无效: ${wrong.map(wrongArgument).join('；')}` }),
  internal: ({ message }) => ({ message: `内部错误: ${message}` }),
  target_not_found: ({ path, why, length }) => {
    if (why === 'too-long') return { message: `目标路径过长（${length} 个字符）: ${path}` };
    return { message: why === 'denied' ? `目标路径无权访问: ${path}` : `目标路径不存在: ${path}` };
  },
  not_a_source: ({ path }) => ({ message: `目标既不是文件也不是目录: ${path}` }),
  not_a_folder: ({ path }) => ({ message: `项目根目录不是目录: ${path}` }),
  no_files: ({ path }) => ({ message: `目标路径下没有可分析的文件: ${path}` }),
  file_too_large: ({ bytes, maxBytes }) => ({
    message: tooLarge(bytes, maxBytes),
    hint: '设置 REVERSE_SPEC_MAX_FILE_BYTES（reverse_spec.max_file_bytes）可提高上限。',
  }),
  ast_failed: ({ broken, unsupported, skipped }) => ({
    message: 'AST 解析失败，建议使用 --deep 模式',
    hint: `原因: ${[
      ...(broken > 0 ? [`${broken} 个文件只有语法错误`] : []),
      ...(unsupported > 0 ? [`${unsupported} 个文件的语言不受支持`] : []),
      ...(skipped > 0 ? [`${skipped} 个文件无法读取、过大或为二进制`] : []),
    ].join('，')}。`,
  }),
  invalid_cursor: ({ cursor }) => ({ message: `游标无效: ${cursor}` }),
  cursor_outdated: () => ({
    message: '游标已失效: 目标在两次调用之间有变化',
    hint: '请不带 cursor 重新调用 prepare。',
  }),
  no_api_key: () => ({
    message: '未检测到 ANTHROPIC_API_KEY',
    hint: '请在启动 reverse-spec 的环境中设置 ANTHROPIC_API_KEY，或使用 astOnly: true（命令行: --ast-only）仅由 AST 生成。',
  }),
  no_price: () => ({
    message: '不知道模型的价格，无法限制费用',
    hint: '请用 REVERSE_SPEC_PRICE（命令行: --price）给出每百万 token 的美元价格，例如 3/15（输入/输出）。',
  }),
  output_unwritable: ({ path }) => ({ message: `无法写入输出目录: ${path}` }),
  spec_not_found: ({ path }) => ({ message: `spec 文件不存在或无法读取: ${path}` }),
  baseline_missing: ({ path }) => ({ message: `spec 中没有基线骨架: ${path}`, hint: REWRITE }),
  baseline_damaged: ({ path, damage }) => ({
    message: `spec 的基线骨架已损坏（${words.damages[damage]}）: ${path}`,
    hint: REWRITE,
  }),
  not_in_baseline: ({ path }) => ({ message: `spec 的基线中没有该文件: ${path}` }),
  no_specs: ({ path }) => ({ message: `没有找到 spec: ${path}`, hint: 'reverse-spec batch --ast-only' }),
  bad_rules: ({ file, line, text, rules }) => ({
    message: `${file} 第 ${line} 行无法识别: ${text}`,
    hint: rules,
  }),
  llm_failed: ({ service, status, reason, said }) => {
    const name = service === 'anthropic' ? 'Claude API' : '模型服务';
    const shown = said === undefined ? '' : `（${said}）`;
    return {
      message:
        status === undefined
          ? `${name} ${words.reasons[reason]}`
          : `${name} 返回 ${status}: ${words.reasons[reason]}${shown}`,
      ...(status === 401 && { hint: '请检查 API key 是否有效。' }),
    };
  },
};

/** Messages outside documents, worded as in the contract. All languages have the same keys. */
export const zhMessages = {
  ...words,
  /** Message of a failed tool call. */
  toolFailed: (tool: string, detail: string) => `${tool} 失败: ${detail}`,
  failures,
  batchStages: {
    parsed: (done: number, total: number, path: string) => `已解析 ${done}/${total} 个文件: ${path}`,
    written: (done: number, total: number, label: string) => `已撰写 ${done}/${total} 个模块: ${label}`,
    money: (cost: number | null) => (cost === null ? '' : `（$${cost.toFixed(2)}）`),
  },
  /** Messages at the end of a batch: its duration and cost, and the modules it left out. */
  batchEnd: {
    took: (seconds: number, cost: number | null) =>
      `用时 ${seconds.toFixed(1)} 秒${cost === null ? '' : `，费用约 $${cost.toFixed(2)}`}`,
    leftOut: (count: number, price: number, names: string) =>
      `因费用上限未撰写 ${count} 个模块（约 $${price.toFixed(2)}）: ${names}`,
  },
  warnings: {
    brokenFiles: (count: number) => `${count} 个文件有语法错误，只提取了可识别的部分`,
    unparsedFiles: (count: number) => `${count} 个文件未解析，见文件清单`,
    contextCut: (parts: string) => `上下文超出预算，已舍弃: ${parts}`,
    contextSplit: (calls: number) => `骨架超出预算，已分为 ${calls} 次调用`,
    answerCut: '模型的回答被截断',
    answerPartial: '模型的回答不完整',
    answerRefused: '模型拒绝了该请求，已降级为仅 AST 的内容',
    answerUnreadable: '模型返回的内容无法解析，已降级为仅 AST 的内容',
    unknownNames: (names: readonly string[], sentence: string) =>
      `已删去一句，其中的 ${names.map((name) => `\`${name}\``).join('、')} 不在所读的文件中: ${sentence}`,
    writtenFromTree: (cause: string, sections: string) => `${cause}，以下章节仅由 AST 生成: ${sections}`,
  },
  note: (note: FileNote): string =>
    note.code === 'too-large' ? tooLarge(note.bytes, note.maxBytes) : words.notes[note.code],
  drift: {
    ...words.drift,
    removed: (what: string) => `${what} 已从源代码中移除`,
    removedUpdate: (name: string) => `从「接口定义」中删除 ${name}，并检查引用它的业务逻辑描述`,
    added: (what: string) => `新增 ${what}，spec 中没有记录`,
    addedUpdate: (name: string) => `在「接口定义」中补充 ${name}`,
    renamed: (what: string, to: string) => `${what} 已重命名为 ${to}`,
    renamedUpdate: (from: string, to: string) => `将 spec 中的 ${from} 更名为 ${to}`,
    moved: (what: string, from: string, to: string) => `${what} 已从 ${from} 移到 ${to}，签名未变`,
    movedUpdate: (name: string, to: string) => `将 ${name} 的位置更新为 ${to}`,
    changed: (what: string, aspect: Aspect) => `${what} 的${aspects[aspect]}已改变`,
    changedUpdate: (name: string, aspect: Aspect) => `按新的${aspects[aspect]}更新「接口定义」中的 ${name}`,
    alsoMoved: (from: string, to: string) => `，并从 ${from} 移到 ${to}`,
    stale: (claim: string, place: string) => `「${claim}」所依据的 ${place} 已改变`,
    staleUpdate: '重新核对这一句，或重新生成 spec',
    advice: {
      high: (count: number) => `发现 ${count} 处破坏性变更，请先确认影响，再重新生成 spec。`,
      medium: (count: number) => `发现 ${count} 处接口变更，建议更新 spec。`,
      low: (count: number) => `仅有 ${count} 处新增或移动，可在方便时更新 spec。`,
      none: 'spec 与源代码一致，无需更新。',
    },
    doubt: (files: number) => `注意: ${files} 个文件有语法错误或无法读取，结果可能不完整。`,
    filtered: (count: number) => `（已过滤噪声 ${count} 处）`,
    report: {
      ...words.drift.report,
      columns: ['项目', '值'],
    },
  },
  /** Summary of what `prepare` found. */
  prepared: ({ files, unread, exports, tokens, cut }: Prepared) =>
    `${files} 个文件（${unread} 个未解析），${exports} 个导出，约 ${tokens} tokens${cut === '' ? '' : `，已舍弃 ${cut}`}`,
  /** Summary of the findings of `check`. `partly`: number of files that could be read only in part. */
  checked: ({ specs, high, medium, low, filtered, partly }: Checked) =>
    `${specs} 个 spec：${high} HIGH，${medium} MEDIUM，${low} LOW，过滤 ${filtered} 处${partly === 0 ? '' : `，${partly} 个文件只读到一部分`}`,
};

type Aspect = keyof typeof aspects;
type Prepared = Record<'files' | 'unread' | 'exports' | 'tokens', number> & { cut: string };
type Checked = Record<'specs' | 'high' | 'medium' | 'low' | 'filtered' | 'partly', number>;

export type Messages = typeof zhMessages;

/** Data of each error of reverse-spec. Its message is created from the data when it is shown. */
export interface FailureData {
  invalid_arguments: { wrong: readonly WrongArgument[] };
  internal: { message: string };
  target_not_found: { path: string; why: 'missing' | 'denied' | 'too-long'; length: number };
  not_a_source: { path: string };
  not_a_folder: { path: string };
  no_files: { path: string };
  file_too_large: { bytes: number; maxBytes: number };
  /** Numbers of files that had only syntax errors, had no parser, or were not read for another reason. */
  ast_failed: Record<'broken' | 'unsupported' | 'skipped', number>;
  invalid_cursor: { cursor: string };
  cursor_outdated: Record<never, never>;
  no_api_key: Record<never, never>;
  no_price: Record<never, never>;
  output_unwritable: { path: string };
  spec_not_found: { path: string };
  baseline_missing: { path: string };
  baseline_damaged: { path: string; damage: BaselineDamage };
  not_in_baseline: { path: string };
  no_specs: { path: string };
  bad_rules: { file: string; line: number; text: string; rules: string };
  llm_failed: ModelFailure;
}

/** An argument that a tool rejected, and the values that are allowed. */
export interface WrongArgument {
  name: string;
  isMissing: boolean;
  expected: {
    type: 'string' | 'boolean' | 'integer' | 'number';
    minimum?: number | undefined;
    maximum?: number | undefined;
    choices?: readonly string[] | undefined;
  };
}

export type BaselineDamage = keyof typeof shortMessages.damages;

export interface ModelFailure {
  service: 'anthropic' | 'other';
  reason: ModelReason;
  /** HTTP status; undefined if there was no response. */
  status?: number;
  /** Message of the model service about an invalid request (status 400). */
  said?: string;
  /** Whether all other calls would fail for the same reason. */
  fatal: boolean;
}

export type ModelReason = keyof typeof shortMessages.reasons;

export interface FailureText {
  message: string;
  hint?: string;
}

export type FailureTexts = {
  readonly [Code in keyof FailureData]: (data: FailureData[Code]) => FailureText;
};

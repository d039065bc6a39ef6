/** Why a file that was listed gave no facts. */
export const notes = {
  binary: '二进制文件，已跳过',
  unknownLanguage: '未知语言，未解析',
  unreadable: '无法读取，已跳过',
  failed: '解析失败，已跳过',
  unreadableFolder: '目录无法读取，已跳过',
  nameNotUtf8: '文件名不是有效的 UTF-8，已跳过',
  tooLarge: (bytes: number, maxBytes: number) =>
    `文件过大（${bytes} 字节，上限 ${maxBytes}，由 REVERSE_SPEC_MAX_FILE_BYTES 设置），已跳过`,
} as const;

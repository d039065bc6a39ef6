import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { detectLanguage } from '../../syntax/languages.ts';
import type { Declaration, Outline } from '../../syntax/outline.ts';
import type { Outliner } from '../../syntax/read-outline.ts';
import { splitLines } from '../../text/lines.ts';
import { estimateTokens } from '../../text/token-estimate.ts';
import { renderSkeletonText } from '../context/skeleton-text.ts';
import type { FileFacts } from '../facts.ts';
import { redactSecrets } from '../redact.ts';
import { skeletonOf } from '../skeleton.ts';
import { findCallouts, headComment } from './comments.ts';

export interface SourceRequest {
  absolute: string;
  /** As the result names it. */
  path: string;
  maxBytes: number;
  /** What the file held when it was last read: if it still does, there is nothing to parse. */
  knownHash?: string;
}

export type SourceReading =
  | { kind: 'facts'; facts: FileFacts }
  | { kind: 'note'; note: string; contentHash?: string }
  | { kind: 'unchanged' };

/** One file from disk to facts. Trouble with one file is a note, never the end of the others. */
export async function readSource(request: SourceRequest, outliner: Outliner): Promise<SourceReading> {
  const opened = readBytes(request);
  if (opened.kind === 'note') return opened;
  const contentHash = createHash('sha256').update(opened.bytes).digest('hex');
  if (contentHash === request.knownHash) return { kind: 'unchanged' };
  if (opened.bytes.subarray(0, 8_000).includes(0))
    return { kind: 'note', note: '二进制文件，已跳过', contentHash };
  const raw = opened.bytes.toString('utf8');
  const outline = await outlineOf(raw, request.path, outliner);
  if (outline === undefined) return { kind: 'note', note: '未知语言，未解析', contentHash };
  return { kind: 'facts', facts: { ...outline, contentHash } };
}

type Bytes = { kind: 'bytes'; bytes: Buffer } | { kind: 'note'; note: string };

/** Synchronous on purpose: a worker has nothing else to do meanwhile, and small files are read three times faster. */
function readBytes({ absolute, maxBytes }: SourceRequest): Bytes {
  try {
    const { size } = statSync(absolute);
    if (size > maxBytes) return { kind: 'note', note: `文件过大（${size} 字节，上限 ${maxBytes}），已跳过` };
    return { kind: 'bytes', bytes: readFileSync(absolute) };
  } catch {
    return { kind: 'note', note: '无法读取，已跳过' };
  }
}

/** Redacted before it is parsed: whatever is taken from it afterwards holds no secret. */
async function outlineOf(
  raw: string,
  path: string,
  outliner: Outliner,
): Promise<Omit<FileFacts, 'contentHash'> | undefined> {
  const known = detectLanguage({ path }) !== undefined || (!/\.[^/]*$/.test(path) && raw.startsWith('#!'));
  if (!known) return undefined;
  const text = redactSecrets(raw);
  const outline = await outliner.outline(text, { path });
  if (outline.parser === 'none') return undefined;
  const lines = splitLines(text);
  const read = { skeleton: skeletonOf(outline, { path, text }), headComment: headComment(lines) };
  const outlineText = renderSkeletonText(read);
  return {
    ...read,
    callouts: findCallouts(lines),
    internals: internalsOf(outline),
    outlineText,
    outlineTokens: estimateTokens(outlineText) + 1,
  };
}

function internalsOf({ declarations }: Outline): FileFacts['internals'] {
  return declarations
    .filter(({ exported }) => !exported)
    .map(({ name, kind, signature, startLine, endLine }: Declaration) => ({
      name,
      kind,
      signature,
      startLine,
      endLine,
    }));
}

import { isJsonObject, type JsonObject } from '@secateur/base/text/json.ts';
import { maskMarker } from '../../../masking/mask-text.ts';
import type { Masker } from '../long-values.ts';

/**
 * Leaves images and audio of up to `maxMediaBytes` unchanged. Replaces larger ones, and other long blobs, by
 * a text block: no client can show half a base64 string.
 */
export const binaryBlock: Masker = (value, limits) => {
  if (!isJsonObject(value) || limits.maxMediaBytes <= 0) return undefined;
  const found = base64Of(value);
  if (found === undefined) return undefined;
  const { base64, isMedia } = found;
  const bytes = Buffer.byteLength(base64, 'base64');
  if (isMedia && bytes <= limits.maxMediaBytes) return 'untouched';
  if (base64.length <= limits.maxChars) return undefined;
  const text = describe(
    found,
    isMedia ? `, ${bytes} bytes, over max_media_bytes = ${limits.maxMediaBytes}` : '',
  );
  return {
    original: base64,
    hidden: { start: 0, end: base64.length },
    isText: false,
    masked: () => found.replaced(text),
  };
};

interface Base64 {
  readonly base64: string;
  /** Image or audio, which models read. */
  readonly isMedia: boolean;
  readonly source: JsonObject;
  replaced(text: string): JsonObject;
}

function base64Of(value: JsonObject): Base64 | undefined {
  if (value.type === 'image' || value.type === 'audio') {
    const asText = (text: string) => textBlock(value, text);
    return typeof value.data === 'string'
      ? { base64: value.data, isMedia: true, source: value, replaced: asText }
      : undefined;
  }
  const { resource } = value;
  if (value.type === 'resource')
    return isJsonObject(resource) ? blobOf(resource, (text) => textBlock(value, text)) : undefined;
  // An item of `resources/read` keeps its URI and becomes an item with text.
  if (typeof value.uri !== 'string') return undefined;
  const { blob: _, ...rest } = value;
  return blobOf(value, (text) => ({ ...rest, mimeType: 'text/plain', text }));
}

function blobOf(source: JsonObject, replaced: Base64['replaced']): Base64 | undefined {
  const { blob, mimeType } = source;
  const isMedia = typeof mimeType === 'string' && /^(?:image|audio)\//.test(mimeType);
  return typeof blob === 'string' ? { base64: blob, isMedia, source, replaced } : undefined;
}

function textBlock(block: JsonObject, text: string): JsonObject {
  const kept = block.annotations === undefined ? {} : { annotations: block.annotations };
  const meta = block._meta === undefined ? {} : { _meta: block._meta };
  return { type: 'text', text, ...kept, ...meta };
}

function describe({ source, base64 }: Base64, size: string): string {
  const mimeType = typeof source.mimeType === 'string' ? source.mimeType : 'application/octet-stream';
  const from = typeof source.uri === 'string' ? ` ${source.uri}` : '';
  return `${mimeType}${from} as base64${size}${maskMarker({ original: base64.length, head: 0, tail: 0 })}`;
}

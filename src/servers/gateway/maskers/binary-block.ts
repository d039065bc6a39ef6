import { type MaskingLimits, maskMarker } from '../../../masking/mask-text.ts';
import { isJsonObject, type JsonObject } from '../../../text/json-value.ts';
import type { Claim, Masker } from './masker.ts';

/**
 * Image, audio and blob blocks: half a base64 string is a broken picture for every client, so the whole block
 * gives way to a text that says what was there.
 */
export const binaryBlock: Masker = (value, limits) => {
  if (!isJsonObject(value)) return undefined;
  if (value.type === 'image' || value.type === 'audio')
    return claimBase64(value.data, limits, (base64) => textBlock(value, describe(value, base64)));
  if (value.type === 'resource') return embeddedBlob(value, limits);
  return blobContents(value, limits);
};

function embeddedBlob(block: JsonObject, limits: MaskingLimits): Claim | undefined {
  const resource = block.resource;
  if (!isJsonObject(resource)) return undefined;
  return claimBase64(resource.blob, limits, (base64) => textBlock(block, describe(resource, base64)));
}

/** An item of `resources/read`: it keeps its address and becomes the text kind of the same item. */
function blobContents(contents: JsonObject, limits: MaskingLimits): Claim | undefined {
  if (typeof contents.uri !== 'string') return undefined;
  return claimBase64(contents.blob, limits, (base64) => {
    const { blob: _, ...rest } = contents;
    return { ...rest, mimeType: 'text/plain', text: describe(contents, base64) };
  });
}

function claimBase64(
  base64: unknown,
  limits: MaskingLimits,
  replaced: (base64: string) => JsonObject,
): Claim | undefined {
  if (typeof base64 !== 'string' || base64.length <= limits.maxChars) return undefined;
  return {
    original: base64,
    hidden: { start: 0, end: base64.length },
    isText: false,
    masked: () => replaced(base64),
  };
}

function textBlock(block: JsonObject, text: string): JsonObject {
  const kept = block.annotations === undefined ? {} : { annotations: block.annotations };
  const meta = block._meta === undefined ? {} : { _meta: block._meta };
  return { type: 'text', text, ...kept, ...meta };
}

function describe(block: JsonObject, base64: string): string {
  const mimeType = typeof block.mimeType === 'string' ? block.mimeType : 'application/octet-stream';
  const from = typeof block.uri === 'string' ? ` ${block.uri}` : '';
  return `${mimeType}${from} as base64${maskMarker({ original: base64.length, head: 0, tail: 0 })}`;
}

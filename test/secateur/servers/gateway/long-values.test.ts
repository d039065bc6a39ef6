import { expect, it } from 'vitest';
import type { JsonObject } from '../../../../packages/base/src/text/json.ts';
import { editJson } from '../../../../packages/base/src/text/json-edit.ts';
import { applyObservationMasking, DEFAULT_LIMITS } from '../../../../packages/secateur/src/masking/mask.ts';
import { findLongValues } from '../../../../packages/secateur/src/servers/gateway/long-values.ts';

const LIMITS = { ...DEFAULT_LIMITS, maxMediaBytes: 6000, maxResultChars: 40_000 };
const long = 'x'.repeat(9000);
const masked = applyObservationMasking(long);

it.each(['tools/call', 'resources/read', 'prompts/get', 'tasks/result', 'completion/complete', 'foo/bar'])(
  '[G12] findLongValues finds the long strings in a result of %s',
  (method) => {
    const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: long }] } };
    expect(maskAll(message, method).result).toEqual({ content: [{ type: 'text', text: masked }] });
  },
);

it.each([
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/templates/list',
  'notifications/x',
  '',
])('[G12] findLongValues finds nothing in a result of "%s"', (method) => {
  const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: long }] } };
  expect(findLongValues(message, method, LIMITS)).toEqual([]);
});

it('[G12] findLongValues finds nothing in tool schemas inside a result', () => {
  const tool = { name: 'n', inputSchema: { description: long }, outputSchema: { description: long } };
  expect(findLongValues({ result: { found: [tool] } }, 'tools/search', LIMITS)).toEqual([]);
});

it('[G12] findLongValues finds long strings in error.data of every method, but not in code and message', () => {
  const message = { jsonrpc: '2.0', id: 1, error: { code: -1, message: long, data: { trace: [long] } } };
  expect(maskAll(message, 'tools/list')).toEqual({
    ...message,
    error: { code: -1, message: long, data: { trace: [masked] } },
  });
});

it('[G12] findLongValues never finds id, _meta, uri or nextCursor', () => {
  const message = {
    jsonrpc: '2.0',
    id: long,
    result: {
      _meta: { note: long },
      nextCursor: long,
      content: [{ type: 'resource_link', uri: long, name: 'n', _meta: { note: long } }],
    },
  };
  expect(findLongValues(message, 'tools/call', LIMITS)).toEqual([]);
});

it('[G12] findLongValues finds the text of an embedded resource', () => {
  const resource = { uri: 'file:///a', text: long };
  const message = { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'resource', resource }] } };
  expect(maskAll(message, 'tools/call').result).toEqual({
    content: [{ type: 'resource', resource: { uri: 'file:///a', text: masked } }],
  });
});

it.each([
  { type: 'image', data: 'A'.repeat(9000), mimeType: 'image/png', annotations: { priority: 1 } },
  { type: 'audio', data: 'A'.repeat(9000), mimeType: 'audio/wav', annotations: { priority: 1 } },
  {
    type: 'resource',
    resource: { uri: 'file:///a.png', blob: 'A'.repeat(9000), mimeType: 'image/png' },
    annotations: { priority: 1 },
  },
])('[G13] findLongValues replaces a $type block above the limit by a text block with the marker', (block) => {
  const result = maskAll({ jsonrpc: '2.0', id: 1, result: { content: [block] } }, 'tools/call')
    .result as JsonObject;
  expect(result.content).toEqual([
    {
      type: 'text',
      text: expect.stringMatching(
        /as base64, 6750 bytes, over max_media_bytes = 6000\n\.\.\. \[KIMI_PROXY_OBSERVATION_MASKED original_chars=9000 head=0 tail=0\]/,
      ),
      annotations: { priority: 1 },
    },
  ]);
});

it('[G13] findLongValues replaces a long blob of resources/read by text with the original uri', () => {
  const contents = [{ uri: 'file:///a.png', mimeType: 'image/png', blob: 'A'.repeat(9000) }];
  const result = maskAll({ jsonrpc: '2.0', id: 1, result: { contents } }, 'resources/read')
    .result as JsonObject;
  expect(result.contents).toEqual([
    {
      uri: 'file:///a.png',
      mimeType: 'text/plain',
      text: expect.stringContaining('image/png file:///a.png as base64'),
    },
  ]);
});

it.each([
  { type: 'image', data: 'A'.repeat(8000), mimeType: 'image/png', annotations: { note: long } },
  { type: 'audio', data: 'A'.repeat(8000), mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'file:///a.png', blob: 'A'.repeat(8000), mimeType: 'image/png' } },
])('[G13] findLongValues does not change a $type block of exactly max_media_bytes', (block) => {
  expect(findLongValues({ result: { content: [block] } }, 'tools/call', LIMITS)).toEqual([]);
});

it('[G13] findLongValues does not change a picture of resources/read up to max_media_bytes', () => {
  const contents = [{ uri: 'file:///a.png', mimeType: 'image/png', blob: 'A'.repeat(8000) }];
  expect(findLongValues({ result: { contents } }, 'resources/read', LIMITS)).toEqual([]);
});

it.each([0, -1])('[G13] max_media_bytes = %i makes base64 a string like any other', (maxMediaBytes) => {
  const content = [{ type: 'image', data: long, mimeType: 'image/png' }];
  const result = { content: [{ type: 'image', data: masked, mimeType: 'image/png' }] };
  expect(maskAll({ result: { content } }, 'tools/call', { ...LIMITS, maxMediaBytes })).toEqual({ result });
});

it('[G13] applyObservationMasking masks base64 like any other string', () => {
  const block = { type: 'image', data: long, mimeType: 'image/png' };
  expect(applyObservationMasking({ content: [block] })).toEqual({ content: [{ ...block, data: masked }] });
});

it('[G14] findLongValues finds strings in structuredContent of any form, and adds no key', () => {
  const structuredContent = { type: 'image', data: long, rows: [{ text: long }], n: 1 };
  const result = maskAll({ id: 1, result: { content: [], structuredContent } }, 'tools/call')
    .result as JsonObject;
  expect(result.structuredContent).toEqual({ type: 'image', data: masked, rows: [{ text: masked }], n: 1 });
});

it('[G12] findLongValues skips a request to the client, because the client has to return its state unchanged', () => {
  const message = { id: 1, result: { resultType: 'input_required', requestState: long } };
  expect(findLongValues(message, 'tools/call', LIMITS)).toEqual([]);
});

it('[G13] findLongValues keeps the metadata of a large block in the new text block, and states the media type', () => {
  const marker = '\n... [KIMI_PROXY_OBSERVATION_MASKED original_chars=9000 head=0 tail=0] ...\n';
  const size = ', 6750 bytes, over max_media_bytes = 6000';
  const content = [
    { type: 'image', data: long, mimeType: 'image/png' },
    { type: 'audio', data: long, _meta: { from: 'a' } },
    { type: 'resource', resource: { uri: 'file:///a.bin', blob: long } },
  ];
  const { result } = maskAll({ result: { content } }, 'tools/call');
  expect(result).toStrictEqual({
    content: [
      { type: 'text', text: `image/png as base64${size}${marker}` },
      { type: 'text', text: `application/octet-stream as base64${size}${marker}`, _meta: { from: 'a' } },
      { type: 'text', text: `application/octet-stream file:///a.bin as base64${marker}` },
    ],
  });
});

it('[G13] findLongValues hides base64 completely and never prunes it; text may be pruned', () => {
  const content = [
    { type: 'image', data: long },
    { type: 'text', text: long },
  ];
  const [image, text] = findLongValues({ result: { content } }, 'tools/call', LIMITS);
  expect(image).toMatchObject({ hidden: { start: 0, end: 9000 }, isText: false });
  expect(text).toMatchObject({ hidden: { start: 2000, end: 7000 }, isText: true });
});

it('[G13] findLongValues treats an object that only resembles a content block as plain text', () => {
  const content = [{ blob: long }, { type: 'resource', resource: long }];
  expect(maskAll({ result: { content } }, 'tools/call').result).toEqual({
    content: [{ blob: masked }, { type: 'resource', resource: masked }],
  });
});

it('[G12] findLongValues skips a block or string of exactly max_chars characters', () => {
  const data = 'x'.repeat(LIMITS.maxChars);
  const content = [
    { type: 'image', data },
    { type: 'text', text: data },
  ];
  expect(findLongValues({ result: { content } }, 'tools/call', LIMITS)).toEqual([]);
});

it('[G11] findLongValues finds nothing if masking is off or would not shorten', () => {
  const message = {
    result: {
      content: [
        { type: 'image', data: long },
        { type: 'text', text: long },
      ],
    },
  };
  for (const maxChars of [0, -1])
    expect(findLongValues(message, 'tools/call', { ...LIMITS, maxChars })).toEqual([]);
  const hardly = { result: { content: [{ type: 'text', text: 'x'.repeat(4050) }] } };
  expect(findLongValues(hardly, 'tools/call', LIMITS)).toEqual([]);
});

it('[G14] findLongValues treats only the member structuredContent of the result as structured content', () => {
  const image = { type: 'image', data: long };
  const found = (message: JsonObject) =>
    findLongValues(message, 'tools/call', LIMITS).map(({ path, zone }) => [path.join('/'), zone]);
  expect(found({ result: { structuredContent: image } })).toEqual([
    ['result/structuredContent/data', 'structured'],
  ]);
  expect(found({ result: { content: [{ structuredContent: image }] } })).toEqual([
    ['result/content/0/structuredContent', 'content'],
  ]);
  expect(found({ error: { data: { structuredContent: image } } })).toEqual([
    ['error/data/structuredContent/data', 'error'],
  ]);
});

it('[G16] `masked` writes the recovery hint after the marker', () => {
  const [value] = findLongValues({ result: long }, 'tools/call', LIMITS);
  expect(value?.masked('[note]')).toBe(masked.replace('] ...\n', '] ...\n[note]'));
});

function maskAll(message: JsonObject, method: string, limits = LIMITS): JsonObject {
  const found = findLongValues(message, method, limits);
  const edits = found.map(({ path, masked }) => ({
    kind: 'replace' as const,
    path,
    json: JSON.stringify(masked('')),
  }));
  return JSON.parse(editJson(JSON.stringify(message), edits)) as JsonObject;
}

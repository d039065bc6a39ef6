import { type Fields, isFields } from '../text/json-value.ts';

/** The trace a message says it belongs to (`params._meta.traceparent`); no more than a claim until it is read as one. */
export function traceparentIn(params: Fields): string | undefined {
  const meta = params._meta;
  const traceparent = isFields(meta) ? meta.traceparent : undefined;
  return typeof traceparent === 'string' ? traceparent : undefined;
}

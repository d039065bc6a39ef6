import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { BodyFacts } from '../../syntax/body-facts.ts';

/** Packs what bodies do into an eighth of its JSON: of a large project all of it is held until the documents are written. */
export function packBodies(bodies: BodyFacts): string {
  return deflateRawSync(JSON.stringify(bodies), { level: 1 }).toString('base64');
}

export function unpackBodies(packed: string): BodyFacts {
  return JSON.parse(inflateRawSync(Buffer.from(packed, 'base64')).toString('utf8')) as BodyFacts;
}

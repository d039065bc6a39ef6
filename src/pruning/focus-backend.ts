import { type EmbeddedParts, embeddedBackend } from './focus-backend/embedded.ts';
import { type HttpBackendParts, httpBackend } from './focus-backend/http.ts';
import type { FocusBackend } from './focus-request.ts';

export type FocusBackendParts =
  | ({ kind: 'embedded' } & EmbeddedParts)
  | ({ kind: 'http' } & HttpBackendParts);

export function focusBackend(parts: FocusBackendParts): FocusBackend {
  return parts.kind === 'embedded' ? embeddedBackend(parts) : httpBackend(parts);
}

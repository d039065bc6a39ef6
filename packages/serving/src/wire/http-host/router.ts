import type { FailureBody } from '../http-failure.ts';
import type { RouteAccess } from '../http-route.ts';
import type { Exchange } from './exchange.ts';

export interface Entry {
  readonly path: string;
  /** Default: every method. */
  readonly method?: string;
  /** Plain questions such as `/health` are answered whatever else is going on. */
  readonly admission: 'free' | 'counted';
  /** Answers in JSON-RPC, its refusals too. */
  readonly isRpc?: boolean;
  readonly access?: RouteAccess | undefined;
  readonly tool?: string | undefined;
  readonly failureBody?: FailureBody | undefined;
  serve(exchange: Exchange): Promise<void>;
}

export type Match =
  | { readonly kind: 'found'; readonly entry: Entry; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'other_methods'; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing' };

export type Router = (method: string, path: string) => Match;

export function createRouter(entries: readonly Entry[]): Router {
  const patterns = entries.map((entry) => ({ entry, pattern: entry.path.split('/') }));
  return (method, path) => {
    const segments = path.split('/');
    const allowed: string[] = [];
    for (const { entry, pattern } of patterns) {
      const params = matchSegments(pattern, segments);
      if (params !== undefined && accepts(entry, method)) return { kind: 'found', entry, params };
      if (params !== undefined && entry.method !== undefined) allowed.push(entry.method);
    }
    return allowed.length > 0 ? { kind: 'other_methods', allowed } : { kind: 'nothing' };
  };
}

function accepts(entry: Entry, method: string): boolean {
  return (
    entry.method === undefined || entry.method === method || (entry.method === 'GET' && method === 'HEAD')
  );
}

function matchSegments(pattern: string[], segments: string[]): Readonly<Record<string, string>> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Array<[string, string]> = [];
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!expected.startsWith(':')) {
      if (expected !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === '') return undefined;
    params.push([expected.slice(1), value]);
  }
  return Object.fromEntries(params);
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

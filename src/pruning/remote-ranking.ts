import { type DeepInfraOptions, deepInfra, type Reranker } from '../ranking/deepinfra.ts';
import {
  type OutcomeCache,
  type OutcomeCacheOptions,
  openOutcomeCache,
} from './remote-ranking/outcome-cache.ts';

/** A reranker on another machine, and the answers it gave lately. */
export interface RemoteRanking {
  reranker: Reranker;
  cache: OutcomeCache;
}

export interface DeepInfraRankingOptions extends DeepInfraOptions {
  cache: Omit<OutcomeCacheOptions, 'clock'>;
}

export function deepInfraRanking({ cache, ...options }: DeepInfraRankingOptions): RemoteRanking {
  return { reranker: deepInfra(options), cache: openOutcomeCache({ ...cache, clock: options.clock }) };
}

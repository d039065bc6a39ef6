import { OutcomeCache, type OutcomeCacheOptions } from './outcome-cache.ts';
import { type DeepInfraOptions, deepInfra, type Reranker } from './scorers/deepinfra.ts';

/** A reranker on another machine, and the answers it gave lately. */
export interface RemoteRanking {
  reranker: Reranker;
  cache: OutcomeCache;
}

export interface DeepInfraRankingOptions extends DeepInfraOptions {
  cache: Omit<OutcomeCacheOptions, 'clock'>;
}

export function deepInfraRanking({ cache, ...options }: DeepInfraRankingOptions): RemoteRanking {
  return { reranker: deepInfra(options), cache: new OutcomeCache({ ...cache, clock: options.clock }) };
}

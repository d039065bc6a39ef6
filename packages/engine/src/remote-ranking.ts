import { type DeepInfraOptions, deepInfra, type Reranker } from './ranking/deepinfra.ts';
import { openScoreCache, type ScoreCache, type ScoreCacheOptions } from './remote-ranking/score-cache.ts';

/** A reranker on another machine, and the scores it gave lately. */
export interface RemoteRanking {
  reranker: Reranker;
  cache: ScoreCache;
}

export interface DeepInfraRankingOptions extends DeepInfraOptions {
  cache: Omit<ScoreCacheOptions, 'clock' | 'backend'>;
}

export function deepInfraRanking({ cache, ...options }: DeepInfraRankingOptions): RemoteRanking {
  const { clock, endpointUrl } = options;
  const backend = `deepinfra ${endpointUrl}`;
  return { reranker: deepInfra(options), cache: openScoreCache({ ...cache, clock, backend }) };
}

"""Trees over what export-observations.ts wrote: out of fold by repository, then on everything; and what a stop on them saves."""

import argparse
import json
import os

import numpy as np
import xgboost as xgb

from export_trees import export_trees
from licences import EXCLUDED_RUNS

FOLDS = 5
SAMPLED = 1 / 6  # of the lines nobody used
AGAIN = 0.0  # how much a line counts as used that was shown before and used again: the agent has it already
KINDS = ["read", "search", "listing", "tests", "script", "git", "other"]  # as in src/ranking/command-kind.ts
ROUNDS = 200
SETTINGS = {
    "tree_method": "hist", "objective": "binary:logistic", "base_score": 0.04, "eta": 0.1, "max_depth": 5,
    "subsample": 0.7, "colsample_bytree": 0.3, "min_child_weight": 15, "lambda": 10, "max_bin": 64,
}


class Observations:
    def __init__(self, folder):
        self.names = json.load(open(f"{folder}/names.json"))
        self.index = [json.loads(row) for row in open(f"{folder}/index.jsonl")]
        self.rows = np.fromfile(f"{folder}/rows.f16", np.float16).reshape(-1, len(self.names))
        self.labels = np.fromfile(f"{folder}/used.u8", np.uint8)
        self.lengths = np.fromfile(f"{folder}/lengths.u16", np.uint16).astype(np.int64)
        self.tokens = np.fromfile(f"{folder}/tokens.f32", np.float32).astype(np.float64)
        self.words = np.fromfile(f"{folder}/words.f32", np.float32)
        self.sizes = np.array([entry["lines"] for entry in self.index])
        self.starts = np.concatenate([[0], np.cumsum(self.sizes)])
        self.owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.folds = folds(self.index)
        self.fold = np.array([self.folds[entry["repo"]] for entry in self.index])
        self.trainable = np.array([entry["repo"] not in EXCLUDED_RUNS for entry in self.index])
        self.in_run = np.array([entry["run"] != "" for entry in self.index])
        self.used = self.labels == 1
        self.wide = self.labels >= 1


def folds(index):
    """The largest repository first, each to the fold that is emptiest: none in two."""
    lines = {}
    for entry in index:
        lines[entry["repo"]] = lines.get(entry["repo"], 0) + entry["lines"]
    load, fold = [0] * FOLDS, {}
    for repo, count in sorted(lines.items(), key=lambda item: (-item[1], item[0])):
        at = min(range(FOLDS), key=lambda k: load[k])
        load[at] += count
        fold[repo] = at
    return fold


def train(data, chosen, columns, seed=1, threads=1):
    """Every used line and a sixth of the others, reweighted."""
    dice = np.random.default_rng(seed)
    rows = np.flatnonzero(chosen[data.owner] & (data.wide | (dice.random(len(data.labels)) < SAMPLED)))
    labels, owner = data.labels[rows], data.owner[rows]
    here = np.where(data.in_run[owner], 1.0, 0.7)
    used = labels == 1
    weights = np.where(used, 1.0, np.where(labels == 2, AGAIN, 1 / SAMPLED)) * here
    features = data.rows[rows][:, columns].astype(np.float32)
    targets = (labels > 0).astype(np.float32)
    # The rest of a line used again is a line not used.
    again = labels == 2
    features = np.concatenate([features, features[again]])
    targets = np.concatenate([targets, np.zeros(again.sum(), np.float32)])
    weights = np.concatenate([weights, (1 - AGAIN) * here[again]])
    matrix = xgb.DMatrix(features, targets, weight=weights, nthread=threads)
    return xgb.train({**SETTINGS, "seed": seed, "nthread": threads}, matrix, ROUNDS)


def margins(model, data, rows, columns):
    return model.predict(xgb.DMatrix(data.rows[rows][:, columns].astype(np.float32), nthread=1), output_margin=True)


def out_of_fold(data, columns, threads=1):
    scores, models = np.full(len(data.labels), np.nan), []
    for fold in range(FOLDS):
        model = train(data, data.fold != fold, columns, threads=threads)
        rows = np.flatnonzero(data.fold[data.owner] == fold)
        scores[rows] = margins(model, data, rows, columns)
        models.append(model)
    return scores, models


def recalls(data, scores, shares=(0.5, 0.3, 0.15), least=30, beta=0.5):
    """Recall of used lines at shares of the characters, in outputs that have some."""
    found = []
    for at, entry in enumerate(data.index):
        if entry["lines"] < least or not data.in_run[at]:
            continue
        place = slice(data.starts[at], data.starts[at + 1])
        used, lengths = data.used[place], data.lengths[place]
        if not used.any():
            continue
        order = np.argsort(-(scores[place] - beta * np.log(lengths + 9)), kind="stable")
        taken = np.cumsum(lengths[order])
        kept = [order[:max(1, int(np.searchsorted(taken, share * entry["characters"], side="right")))] for share in shares]
        found.append([used[k].sum() / used.sum() for k in kept])
    return np.mean(found, 0), len(found)


def calibrated(data, scores):
    """Slope and offset by kind of command that make log-odds of out-of-fold scores."""
    kinds = np.array([KINDS.index(entry["kind"]) for entry in data.index])[data.owner]
    inside = data.in_run[data.owner]
    return [platt(scores[inside & (kinds == kind)], data.used[inside & (kinds == kind)]) for kind in range(len(KINDS))]


def platt(scores, used, steps=30):
    """Logistic regression on one score, by Newton's method."""
    inputs = np.stack([scores, np.ones_like(scores)], 1)
    weights = np.array([1.0, 0.0])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs * (p * (1 - p))[:, None]).T @ inputs + 1e-6 * np.eye(2)
        weights = weights - np.linalg.solve(curvature, inputs.T @ (p - used))
    return weights.tolist()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--data", required=True)
    options.add_argument("--out", required=True)
    options.add_argument("--threads", type=int, default=1)
    args = options.parse_args()
    os.makedirs(args.out, exist_ok=True)
    data = Observations(args.data)
    columns = list(range(len(data.names)))
    print("BM25", recalls(data, data.words, beta=0), flush=True)
    scores, models = out_of_fold(data, columns, args.threads)
    print("trees", recalls(data, scores), flush=True)
    calibration = calibrated(data, scores)
    for fold, model in enumerate(models):
        export_trees(model, data.names, calibration, f"{args.out}/trees-{fold}.bin")
    json.dump(data.folds, open(f"{args.out}/folds.json", "w"))
    final = train(data, data.trainable, columns, threads=args.threads)
    export_trees(final, data.names, calibration, f"{args.out}/trees-all.bin")
    final.save_model(f"{args.out}/trees-all.json")


if __name__ == "__main__":
    main()

"""Recall of gold lines when a share of the lines, or of the characters, is kept, by ranking alone; and how surely
softmax(score) finds them, in nats a gold line."""

import json
import sys

import numpy as np
import torch

RATIOS = (0.5, 0.7, 0.9)


def by_lines(scores, gold, ratio):
    keep = max(1, round(len(scores) * (1 - ratio)))
    order = np.argsort(-scores, kind="stable")[:keep]
    return gold[order].sum() / gold.sum()


def by_characters(scores, gold, lengths, ratio):
    spread = scores.std() + 1e-6
    order = np.argsort(-(scores / spread - 0.3 * np.log(lengths + 9)), kind="stable")
    budget = (lengths + 1).sum() * (1 - ratio)
    used, found = 0, 0
    for line in order:
        cost = lengths[line] + 1
        if used + cost > budget:
            continue
        used += cost
        found += gold[line]
    return found / gold.sum()


def surprise(scores, gold):
    return scores.max() + np.log(np.exp(scores - scores.max()).sum()) - scores[gold].mean()


def score_texts(model, data, chosen):
    """Scores of the lines of the chosen texts, at their places among all lines."""
    scores = torch.zeros(len(data.gold), dtype=torch.float16, device=data.device)
    with torch.no_grad():
        for batch in data.batches(chosen, 200_000):
            loaded = data.load(batch)
            scores[loaded.source] = model(loaded).half()
    return scores


def measure(scores, data, chosen):
    rows = []
    for at in chosen:
        text = data.texts[at]
        gold = data.gold[text.place].cpu().numpy().astype(bool)
        if not gold.any():
            continue
        mine, lengths = scores[text.place].float().cpu().numpy(), data.lengths[text.place].cpu().numpy()
        figures = [by_lines(mine, gold, r) for r in RATIOS]
        figures += [by_characters(mine, gold, lengths, r) for r in RATIOS]
        figures.append(surprise(mine, gold))
        rows.append({"set": text.set, "id": text.id, "figures": [float(f) for f in figures]})
    return rows


def table(paths):
    """Joins the folds' figures: every example is measured by the model that never saw its group."""
    by_set = {}
    for path in paths:
        for row in json.load(open(path)):
            by_set.setdefault(row["set"], []).append(row["figures"])
    means = {name: np.mean(figures, 0) for name, figures in sorted(by_set.items())}
    for name, mean in means.items():
        print(f"{name:20s} {len(by_set[name]):4d}  " + " ".join(f"{value:.3f}" for value in mean))
    print(f"{'macro':26s} " + " ".join(f"{value:.3f}" for value in np.mean(list(means.values()), 0)), flush=True)


if __name__ == "__main__":
    table(sys.argv[1:])

"""Reads what export-features.ts wrote, splits it by group, and hands out batches of whole texts."""

import glob
import json
import os
import sys
import zlib
from dataclasses import dataclass

import numpy as np
import torch

FOLDS = 4

# Left out of every training: GPL, AGPL, LGPL, BUSL or SSPL code bases, and those whose licence is unclear.
EXCLUDED = {
    "pylint-dev/pylint", "hashicorp/terraform", "internetarchive/openlibrary", "redis/redis",
    "element-hq/element-web", "future-architect/vuls", "significant-gravitas/autogpt",
    "git/git", "koalaman/shellcheck", "syl20bnr/spacemacs", "major/mysqltuner-perl",
    "ethereum/go-ethereum", "twitter/anomalydetection", "cplusplus/draft",
}

WEIGHTS = {"logs": 6.0, "tool": 4.0, "docs": 3.0, "code": 2.5, "train": 1.0}


def fold_of(group):
    return zlib.crc32(group.encode()) % FOLDS


@dataclass
class Text:
    id: str
    set: str
    group: str
    first_line: int
    lines: int
    first_word: int
    words: int
    first_goal: int
    goal: int
    weight: float


class Dataset:
    def __init__(self, folder, device, vocabulary=6143):
        self.names = json.load(open(f"{folder}/names.json"))
        shards = sorted(glob.glob(f"{folder}/*.index.jsonl"), key=lambda p: int(p.split("/")[-1].split(".")[0]))
        prefixes = [path[: -len("index.jsonl")] for path in shards]
        width = len(self.names["columns"])

        def gather(name, kind):
            return np.concatenate([np.fromfile(prefix + name, kind) for prefix in prefixes])

        self.texts = []
        line = word = goal = 0
        for prefix in prefixes:
            for row in open(prefix + "index.jsonl"):
                entry = json.loads(row)
                kind = entry["set"].split("-")[0]
                self.texts.append(Text(entry["id"], entry["set"], entry["group"], line, entry["lines"], word,
                                       entry["words"], goal, entry["goal"], WEIGHTS.get(kind, 1.0)))
                line += entry["lines"]
                word += entry["words"]
                goal += entry["goal"]
        self.rows = torch.empty((line, width), dtype=torch.float16, device=device)
        at = 0
        for prefix in prefixes:
            part = torch.from_numpy(np.fromfile(prefix + "rows.f16", np.float16).reshape(-1, width))
            self.rows[at: at + len(part)] = part.to(device)
            at += len(part)
        self.constants = torch.from_numpy(
            gather("constants.f32", np.float32).reshape(len(self.texts), -1)).to(device)
        self.gold = torch.from_numpy(gather("gold.u8", np.uint8)).to(device)
        self.lengths = torch.from_numpy(gather("lengths.u16", np.uint16).astype(np.int32)).to(device)
        counts = gather("counts.u16", np.uint16).astype(np.int64)
        if not os.path.exists(f"{folder}/numbered.npz"):
            words, goals = gather("words.u32", np.uint32), gather("goal.u32", np.uint32)
            self.vocabulary = self.choose_vocabulary(words, vocabulary)
            np.savez(f"{folder}/numbered.npz", vocabulary=self.vocabulary, words=self.number(words),
                     goals=self.number(goals))
        numbered = np.load(f"{folder}/numbered.npz")
        self.vocabulary = numbered["vocabulary"]
        self.words = torch.from_numpy(numbered["words"]).to(device)
        self.goal_words = torch.from_numpy(numbered["goals"]).to(device)
        self.word_counts = torch.from_numpy(counts).to(device)
        self.device = device

    def choose_vocabulary(self, words, size):
        """Words of at least eight groups, the most widespread first: rarer ones would memorise repositories."""
        by_group = {}
        for text in self.texts:
            if text.group in EXCLUDED:
                continue
            by_group.setdefault(text.group, []).append(np.unique(words[text.first_word: text.first_word + text.words]))
        spread = np.concatenate([np.unique(np.concatenate(parts)) for parts in by_group.values()])
        found, groups = np.unique(spread, return_counts=True)
        wide = groups >= min(8, len(by_group))
        found, groups = found[wide], groups[wide]
        return np.sort(found[np.argsort(-groups, kind="stable")[:size]])

    def number(self, words):
        """Places in the vocabulary, counted from 1; 0 is unknown."""
        places = np.searchsorted(self.vocabulary, words)
        places[places == len(self.vocabulary)] = 0
        return np.where(self.vocabulary[places] == words, places + 1, 0).astype(np.int16)

    def tested_groups(self):
        return {text.group for text in self.texts if text.set != "train"}

    def split(self, fold):
        """A fold tests the dev groups that hash to it and trains on none of their examples, mined ones included."""
        tested = self.tested_groups()
        train, test = [], []
        for at, text in enumerate(self.texts):
            mine = fold is not None and text.group in tested and fold_of(text.group) == fold
            if mine and text.set != "train":
                test.append(at)
            if not mine and text.group not in EXCLUDED:
                train.append(at)
        return train, test

    def batches(self, chosen, size, shuffle=None):
        """Lists of texts of about `size` lines together; texts without gold or without anything else teach nothing."""
        order = list(chosen)
        if shuffle is not None:
            shuffle.shuffle(order)
        batch, lines = [], 0
        for at in order:
            batch.append(at)
            lines += self.texts[at].lines
            if lines >= size:
                yield batch
                batch, lines = [], 0
        if batch:
            yield batch

    def load(self, chosen):
        return Batch(self, [self.texts[at] for at in chosen], chosen)


GAP = 18  # as far as the widest convolution reaches: no text sees its neighbour in the batch


class Batch:
    """Several texts laid end to end with gaps; `inside` picks the real lines."""

    def __init__(self, data, texts, chosen):
        device = data.device
        sizes = torch.tensor([text.lines for text in texts])
        starts = torch.cumsum(sizes + GAP, 0) - sizes - GAP
        total = int((sizes + GAP).sum())
        source = torch.cat([torch.arange(text.first_line, text.first_line + text.lines) for text in texts])
        owner = torch.repeat_interleave(torch.arange(len(texts)), sizes)
        inside = torch.cat([torch.arange(int(s), int(s) + int(n)) for s, n in zip(starts, sizes)])
        self.total = total
        self.inside = inside.to(device)
        self.owner = owner.to(device)
        source = source.to(device)
        self.features = data.rows[source].float()
        self.constants = data.constants[torch.tensor(chosen, device=device)]
        self.gold = data.gold[source].bool()
        self.lengths = data.lengths[source]
        self.sizes = sizes.to(device).float()
        self.weights = torch.tensor([text.weight for text in texts], device=device)
        self.texts = texts
        words = torch.cat([torch.arange(t.first_word, t.first_word + t.words) for t in texts]).to(device)
        self.words = data.words[words].long()
        self.word_line = torch.repeat_interleave(torch.arange(len(source), device=device), data.word_counts[source])
        goals = torch.cat([torch.arange(t.first_goal, t.first_goal + t.goal) for t in texts]).to(device)
        self.goal_words = data.goal_words[goals].long()
        goal_sizes = torch.tensor([text.goal for text in texts])
        self.goal_owner = torch.repeat_interleave(torch.arange(len(texts)), goal_sizes).to(device)


if __name__ == "__main__":
    # Numbers the words once, so that parallel trainings need not.
    prepared = Dataset(sys.argv[1], "cpu")
    print(f"{len(prepared.texts)} texts, {len(prepared.rows)} lines, {len(prepared.vocabulary)} words")

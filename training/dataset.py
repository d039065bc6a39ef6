"""Reads what export-features.ts wrote, splits it by group, and hands out batches of whole texts."""

import glob
import json
import zlib
from dataclasses import dataclass

import numpy as np
import torch

from licences import EXCLUDED

FOLDS = 4

WEIGHTS = {"logs": 6.0, "tool": 4.0, "docs": 3.0, "code": 2.5}


def fold_of(group):
    return zlib.crc32(group.encode()) % FOLDS


@dataclass
class Text:
    id: str
    set: str
    group: str
    first_line: int
    lines: int
    weight: float

    @property
    def mined(self):
        return self.set == "train"

    @property
    def place(self):
        return slice(self.first_line, self.first_line + self.lines)


class Dataset:
    def __init__(self, folder, device):
        self.device = device
        self.names = json.load(open(f"{folder}/names.json"))
        shards = sorted(glob.glob(f"{folder}/*.index.jsonl"), key=lambda p: int(p.split("/")[-1].split(".")[0]))
        prefixes = [path[: -len("index.jsonl")] for path in shards]
        self.texts, line = [], 0
        for prefix in prefixes:
            for row in open(prefix + "index.jsonl"):
                entry = json.loads(row)
                weight = WEIGHTS.get(entry["set"].split("-")[0], 1.0)
                self.texts.append(Text(entry["id"], entry["set"], entry["group"], line, entry["lines"], weight))
                line += entry["lines"]
        self.tested = {text.group for text in self.texts if not text.mined}
        self.places = torch.tensor([[text.first_line, text.lines] for text in self.texts], device=device)
        width = len(self.names["columns"])
        self.rows = torch.empty((line, width), dtype=torch.float16, device=device)
        at = 0
        for prefix in prefixes:
            part = torch.from_numpy(np.fromfile(prefix + "rows.f16", np.float16).reshape(-1, width))
            self.rows[at: at + len(part)] = part.to(device)
            at += len(part)

        def gather(name, kind):
            return np.concatenate([np.fromfile(prefix + name, kind) for prefix in prefixes])

        self.constants = torch.from_numpy(
            gather("constants.f32", np.float32).reshape(len(self.texts), -1)).to(device)
        self.gold = torch.from_numpy(gather("gold.u8", np.uint8)).to(device)
        self.lengths = torch.from_numpy(gather("lengths.u16", np.uint16).astype(np.int32)).to(device)

    def held_out(self, text, folds):
        """A fold holds out the tested groups that hash to it, with their mined examples."""
        return text.group in self.tested and fold_of(text.group) in folds

    def split(self, folds):
        """What may train without these folds, and what tests them."""
        out = [self.held_out(text, folds) for text in self.texts]
        train = [at for at, text in enumerate(self.texts) if not out[at] and text.group not in EXCLUDED]
        test = [at for at, text in enumerate(self.texts) if out[at] and not text.mined]
        return train, test

    def batches(self, chosen, size, shuffle=None):
        """Lists of texts of about `size` lines together."""
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
        return Batch(self, [self.texts[at] for at in chosen], torch.tensor(chosen, device=self.device))


GAP = 18  # as far as the widest convolution reaches: no text sees its neighbour in the batch


class Batch:
    """Several texts laid end to end with gaps; `inside` picks the real lines, `source` says where they come from."""

    def __init__(self, data, texts, chosen):
        lines = sum(text.lines for text in texts)
        first, sizes = data.places[chosen].T
        laid = torch.arange(lines, device=data.device)
        self.total = lines + GAP * len(texts)
        self.owner = torch.repeat_interleave(sizes, output_size=lines)
        self.inside = laid + GAP * self.owner
        self.source = laid + (first - torch.cumsum(sizes, 0) + sizes)[self.owner]
        self.sizes = sizes.float()
        self.features = data.rows[self.source].float()
        self.constants = data.constants[chosen]
        self.gold = data.gold[self.source].bool()
        self.weights = torch.tensor([text.weight for text in texts], device=data.device)

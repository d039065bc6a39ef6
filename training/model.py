"""The networks. Everything here has a twin in src/pruning/scorers/local/network.ts: change both or neither."""

import torch
import torch.nn.functional as F
from torch import nn

WIDTH = 48
HIDDEN = 64
DILATIONS = (1, 3, 9)
REACH = 2
EMBEDDING = 24
MAX_GOAL_WORDS = 32


def rows_of(values, index):
    """values[index], with the fast backward pass."""
    return values.index_select(0, index)


def segment_mean(values, owner, sizes):
    sums = torch.zeros(len(sizes), values.shape[1], device=values.device, dtype=values.dtype)
    return sums.index_add(0, owner, values) / sizes[:, None]


class Scaled(nn.Module):
    """z-scores, clipped: the same for all variants."""

    def __init__(self, columns, constants):
        super().__init__()
        for name, size in (("line", columns), ("text", constants)):
            self.register_buffer(f"{name}_mean", torch.zeros(size))
            self.register_buffer(f"{name}_scale", torch.ones(size))

    def forward(self, batch):
        lines = ((batch.features - self.line_mean) * self.line_scale).clamp(-6, 6)
        texts = ((batch.constants - self.text_mean) * self.text_scale).clamp(-6, 6)
        return lines, texts


class PerLine(nn.Module):
    """Each line by itself: for very large texts."""

    def __init__(self, columns, constants, dropout=0.1):
        super().__init__()
        self.scaled = Scaled(columns, constants)
        self.from_line = nn.Linear(columns, 32)
        self.from_text = nn.Linear(constants, 32, bias=False)
        self.middle = nn.Linear(32, 16)
        self.out = nn.Linear(16, 1)
        self.skip = nn.Linear(columns, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, batch):
        lines, texts = self.scaled(batch)
        hidden = F.hardswish(self.from_line(lines) + rows_of(self.from_text(texts), batch.owner))
        hidden = F.hardswish(self.middle(self.dropout(hidden)))
        return (self.out(self.dropout(hidden)) + self.skip(lines))[:, 0]


class Block(nn.Module):
    def __init__(self, dilation, dropout):
        super().__init__()
        self.dilation = dilation
        self.norm = nn.LayerNorm(WIDTH)
        self.near = nn.Parameter(torch.randn(2 * REACH + 1, WIDTH) * 0.2)
        self.inner = nn.Linear(3 * WIDTH, HIDDEN)
        self.outer = nn.Linear(HIDDEN, WIDTH)
        self.dropout = nn.Dropout(dropout)

    def forward(self, state, batch):
        seen = self.norm(state)
        laid = torch.zeros(batch.total + 2 * REACH * self.dilation, WIDTH, device=state.device, dtype=seen.dtype)
        offset = REACH * self.dilation
        laid = laid.index_copy(0, batch.inside + offset, seen)
        mixed = rows_of(sum(laid[step * self.dilation: step * self.dilation + batch.total] * self.near[step]
                            for step in range(2 * REACH + 1)), batch.inside)
        whole = segment_mean(seen, batch.owner, batch.sizes)
        weight = self.inner.weight
        hidden = F.linear(torch.cat([seen, mixed], 1), weight[:, : 2 * WIDTH], self.inner.bias)
        hidden = hidden + rows_of(F.linear(whole, weight[:, 2 * WIDTH:]), batch.owner)
        return state + self.outer(self.dropout(F.hardswish(hidden)))


class Words(nn.Module):
    """A line's words beside the goal's: a gated bag, its product with the goal's, and their nearest meeting."""

    OUT = 2 * EMBEDDING + 2

    def __init__(self, vocabulary, dropout=0.25):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocabulary + 1, EMBEDDING) * 0.3)
        self.gate = nn.Parameter(torch.zeros(vocabulary + 1))
        self.dropout = dropout

    def bag(self, words, owner, total):
        gates = torch.sigmoid(rows_of(self.gate, words)) * (words > 0)
        if self.training:
            gates = gates * (torch.rand_like(gates) > self.dropout)
        sums = torch.zeros(total, EMBEDDING, device=words.device).index_add(0, owner, rows_of(self.table, words) * gates[:, None])
        weight = torch.zeros(total, device=words.device).index_add(0, owner, gates)
        return sums / (1 + weight)[:, None], gates, weight

    def forward(self, batch):
        lines = len(batch.owner)
        bags, gates, weight = self.bag(batch.words, batch.word_line, lines)
        goals, _, _ = self.bag(batch.goal_words, batch.goal_owner, len(batch.sizes))
        near = self.nearness(batch)
        best = torch.zeros(lines, device=near.device).index_reduce(0, batch.word_line, near * gates, "amax")
        mean = torch.zeros(lines, device=near.device).index_add(0, batch.word_line, near * gates) / (1 + weight)
        return torch.cat([bags, bags * rows_of(goals, batch.owner), best[:, None], mean[:, None]], 1)

    def nearness(self, batch):
        """For each word of a line the largest cosine to a word of its goal, at least 0."""
        texts = len(batch.sizes)
        unit = F.normalize(self.table, dim=1, eps=1e-6)
        goals = torch.zeros(texts, MAX_GOAL_WORDS, dtype=torch.long, device=batch.words.device)
        known = batch.goal_words > 0
        owner, words = batch.goal_owner[known], batch.goal_words[known]
        counts = torch.bincount(owner, minlength=texts)
        place = torch.arange(len(owner), device=owner.device) - (torch.cumsum(counts, 0) - counts)[owner]
        fits = place < MAX_GOAL_WORDS
        goals[owner[fits], place[fits]] = words[fits]
        pairs = batch.owner[batch.word_line] * (len(self.table) + 1) + batch.words
        distinct, back = torch.unique(pairs, return_inverse=True)
        text, word = distinct // (len(self.table) + 1), distinct % (len(self.table) + 1)
        spread = rows_of(unit, goals.reshape(-1)).reshape(texts, MAX_GOAL_WORDS * EMBEDDING)
        spread = rows_of(spread, text).reshape(-1, MAX_GOAL_WORDS, EMBEDDING)
        cosines = (spread @ rows_of(unit, word)[:, :, None])[:, :, 0]
        cosines = cosines * (goals[text] > 0) * (word > 0)[:, None]
        return rows_of(cosines.amax(1).clamp(min=0), back)


class Neighbours(nn.Module):
    """Convolutions over neighbouring lines; with `vocabulary`, words as well."""

    def __init__(self, columns, constants, vocabulary=0, dropout=0.1):
        super().__init__()
        self.scaled = Scaled(columns, constants)
        self.from_line = nn.Linear(columns, WIDTH)
        self.from_text = nn.Linear(constants, WIDTH, bias=False)
        self.words = Words(vocabulary) if vocabulary else None
        self.from_words = nn.Linear(Words.OUT, WIDTH, bias=False) if vocabulary else None
        self.blocks = nn.ModuleList(Block(dilation, dropout) for dilation in DILATIONS)
        self.norm = nn.LayerNorm(WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        self.skip = nn.Linear(columns, 1, bias=False)

    def forward(self, batch):
        lines, texts = self.scaled(batch)
        state = self.from_line(lines) + rows_of(self.from_text(texts), batch.owner)
        if self.words is not None:
            state = state + self.from_words(self.words(batch))
        for block in self.blocks:
            state = block(state, batch)
        return (self.out(self.norm(state)) + self.skip(lines))[:, 0]


def build(variant, data, dropout=0.1):
    columns, constants = len(data.names["columns"]), len(data.names["constants"])
    if variant == "per-line":
        return PerLine(columns, constants, dropout)
    return Neighbours(columns, constants, len(data.vocabulary) if variant == "words" else 0, dropout)

"""The network. Everything here has a twin in src/ranking/scorers/local/network.ts: change both or neither."""

import torch
import torch.nn.functional as F
from torch import nn

WIDTH = 48
HIDDEN = 64
DILATIONS = (1, 3, 9)
REACH = 2


def rows_of(values, index):
    """values[index], with the fast backward pass."""
    return values.index_select(0, index)


def segment_mean(values, owner, sizes):
    sums = torch.zeros(len(sizes), values.shape[1], device=values.device, dtype=values.dtype)
    return sums.index_add(0, owner, values) / sizes[:, None]


class Scaled(nn.Module):
    """z-scores, clipped."""

    def __init__(self, columns, constants):
        super().__init__()
        for name, size in (("line", columns), ("text", constants)):
            self.register_buffer(f"{name}_mean", torch.zeros(size))
            self.register_buffer(f"{name}_scale", torch.ones(size))

    def forward(self, batch):
        lines = ((batch.features - self.line_mean) * self.line_scale).clamp(-6, 6)
        texts = ((batch.constants - self.text_mean) * self.text_scale).clamp(-6, 6)
        return lines, texts


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


class Neighbours(nn.Module):
    """Convolutions over neighbouring lines."""

    def __init__(self, columns, constants, dropout):
        super().__init__()
        self.scaled = Scaled(columns, constants)
        self.from_line = nn.Linear(columns, WIDTH)
        self.from_text = nn.Linear(constants, WIDTH, bias=False)
        self.blocks = nn.ModuleList(Block(dilation, dropout) for dilation in DILATIONS)
        self.norm = nn.LayerNorm(WIDTH)
        self.out = nn.Linear(WIDTH, 1)
        self.skip = nn.Linear(columns, 1, bias=False)

    def forward(self, batch):
        lines, texts = self.scaled(batch)
        state = self.from_line(lines) + rows_of(self.from_text(texts), batch.owner)
        for block in self.blocks:
            state = block(state, batch)
        return (self.out(self.norm(state)) + self.skip(lines))[:, 0]


def build(names, dropout):
    return Neighbours(len(names["columns"]), len(names["constants"]), dropout)

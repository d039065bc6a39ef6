"""Trains one network on one fold (or on everything), measures it on the groups held out, and exports it.

python3 train.py --data features/ --out models/ --runs words,per-line:epochs=2 --fold 0
"""

import argparse
import json
import math
import random
import time

import torch
import torch.nn.functional as F

from dataset import FOLDS, Dataset
from export import export_model
from measure import measure
from model import build


def rank_loss(scores, batch):
    """Per text, the mean over gold lines of softplus(logsumexp(others) - score): each gold line above all others."""
    texts = len(batch.sizes)
    others = scores.masked_fill(batch.gold, -1e4)
    top = torch.full((texts,), -1e4, device=scores.device).index_reduce(0, batch.owner, others.detach(), "amax")
    sums = torch.zeros(texts, device=scores.device).index_add(0, batch.owner, torch.exp(others - top.index_select(0, batch.owner)))
    level = top + torch.log(sums + 1e-9)
    owner = batch.owner[batch.gold]
    losses = F.softplus(level.index_select(0, owner) - scores[batch.gold])
    counts = torch.bincount(owner, minlength=texts)
    per_text = torch.zeros(texts, device=scores.device).index_add(0, owner, losses) / counts.clamp(min=1)
    weights = batch.weights * (counts > 0)
    return (per_text * weights).sum() / weights.sum().clamp(min=1e-6)


def tail_loss(scores, batch, samples=128):
    """Per gold line, log of the share of other lines above it, by sampled lines: every place gained counts alike."""
    texts = len(batch.sizes)
    starts = torch.cumsum(batch.sizes, 0) - batch.sizes
    owner = batch.owner[batch.gold]
    if len(owner) == 0:
        return scores.sum() * 0
    drawn = torch.rand(len(owner), samples, device=scores.device) * batch.sizes[owner][:, None]
    drawn = (starts[owner][:, None] + drawn.floor()).long().clamp(max=len(scores) - 1)
    counted = ~batch.gold[drawn]
    rivals = scores.index_select(0, drawn.reshape(-1)).reshape(drawn.shape)
    above = torch.sigmoid(rivals - scores[batch.gold][:, None]) * counted
    losses = torch.log(0.02 + above.sum(1) / counted.sum(1).clamp(min=1))
    counts = torch.bincount(owner, minlength=texts)
    per_text = torch.zeros(texts, device=scores.device).index_add(0, owner, losses) / counts.clamp(min=1)
    weights = batch.weights * (counts > 0)
    return (per_text * weights).sum() / weights.sum().clamp(min=1e-6)


def set_scales(model, data, train, generator):
    sample = [at for at in generator.sample(train, min(len(train), 3000))]
    rows = torch.cat([data.rows[data.texts[at].first_line: data.texts[at].first_line + data.texts[at].lines]
                      for at in sample]).float()
    texts = data.constants[torch.tensor(sample, device=data.device)]
    scaled = model.scaled
    scaled.line_mean.copy_(rows.mean(0))
    scaled.line_scale.copy_(1 / rows.std(0).clamp(min=0.02))
    scaled.text_mean.copy_(texts.mean(0))
    scaled.text_scale.copy_(1 / texts.std(0).clamp(min=0.02))


def train_model(data, variant, chosen, options):
    torch.manual_seed(options.seed)
    for text in data.texts:
        if text.set == "train":
            text.weight = options.mined
    generator = random.Random(options.seed)
    model = build(variant, data, options.dropout).to(data.device)
    set_scales(model, data, chosen, generator)
    slow = [p for name, p in model.named_parameters() if name.startswith("words.")]
    fast = [p for name, p in model.named_parameters() if not name.startswith("words.")]
    groups = [{"params": fast, "lr": options.lr, "weight_decay": options.decay}]
    if slow:
        groups.append({"params": slow, "lr": options.lr / 2, "weight_decay": options.decay})
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    bases = [group["lr"] for group in groups]
    steps = options.epochs * sum(1 for _ in data.batches(chosen, options.lines))
    averaged = {name: value.detach().clone() for name, value in model.state_dict().items()}
    step, started, running = 0, time.time(), 0.0
    model.train()
    for _ in range(options.epochs):
        for batch in data.batches(chosen, options.lines, generator):
            pace = min(1, (step + 1) / (0.04 * steps)) * 0.5 * (1 + math.cos(math.pi * step / steps))
            for group, base in zip(optimizer.param_groups, bases):
                group["lr"] = base * max(pace, 0.002)
            loaded = data.load(batch)
            scores = model(loaded)
            loss = rank_loss(scores, loaded)
            if options.tail > 0:
                loss = loss + options.tail * tail_loss(scores, loaded)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            keep = min(options.average, (1 + step) / (10 + step))
            with torch.no_grad():
                for name, value in model.state_dict().items():
                    averaged[name].lerp_(value, 1 - keep)
            running = 0.98 * running + 0.02 * loss.detach()
            step += 1
            if step % 200 == 0:
                print(f"{variant} fold {options.fold} step {step}/{steps} loss {float(running):.3f} "
                      f"{time.time() - started:.0f} s", flush=True)
    model.load_state_dict(averaged)
    model.eval()
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--runs", default="words", help="variant[:option=value…], comma-separated")
    parser.add_argument("--fold", default="all", help="0 to 3, or all: train on everything permitted")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lines", type=int, default=60_000)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--mined", type=float, default=1.0, help="weight of a mined example")
    parser.add_argument("--tail", type=float, default=1.0)
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cuda.matmul.allow_tf32 = True
    data = Dataset(options.data, device)
    fold = None if options.fold == "all" else int(options.fold)
    train, test = data.split(fold)
    print(f"fold {options.fold} of {FOLDS}: {len(train)} texts train, {len(test)} test, "
          f"{len(data.vocabulary)} words", flush=True)
    for run in options.runs.split(","):
        started = time.time()
        variant, *changes = run.split(":")
        mine = argparse.Namespace(**vars(options))
        for change in changes:
            name, value = change.split("=")
            setattr(mine, name, type(getattr(options, name))(value))
        name = "-".join([run.replace(":", "+"), options.fold])
        model = train_model(data, variant, train, mine)
        export_model(model, variant, data, f"{options.out}/{name}.bin")
        if fold is not None:
            result = measure(model, data, test)
            with open(f"{options.out}/{name}.json", "w") as file:
                json.dump(result, file)
        print(f"{name} done in {time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()

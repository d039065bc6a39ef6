"""Trains networks, measures them on the groups held out, and exports them.

python3 train.py --data features/ --out models/ --workers 12 --runs RUN,…

A run is `name:option=value…@folds`: folds that are held out together are written together, `all` holds out none.
first:keep=1@0.1.01 trains three networks (without fold 0, without fold 1, without both).
With `teach`, the scores that those runs kept are learnt besides the labels.
"""

import argparse
import json
import math
import os
import random
import time

import torch
import torch.multiprocessing as processes

from dataset import FOLDS, Dataset, fold_of
from export import export_model
from measure import measure, score_texts
from model import build, rows_of


def levels(scores, batch):
    """Per text, log of the sum of exp(scores)."""
    texts = len(batch.sizes)
    top = torch.full((texts,), -1e4, device=scores.device).index_reduce(0, batch.owner, scores.detach(), "amax")
    sums = torch.zeros(texts, device=scores.device).index_add(0, batch.owner, torch.exp(scores - rows_of(top, batch.owner)))
    return top + torch.log(sums + 1e-9)


def gold_loss(surprise, batch):
    """Per text, the surprise at a gold line."""
    texts = len(batch.sizes)
    owner = batch.owner[batch.gold]
    counts = torch.bincount(owner, minlength=texts)
    per_text = torch.zeros(texts, device=surprise.device).index_add(0, owner, surprise[batch.gold]) / counts.clamp(min=1)
    weights = batch.weights * (counts > 0)
    return (per_text * weights).sum() / weights.sum().clamp(min=1e-6)


def taught_loss(surprise, batch, taught):
    """Per text, the surprise at a line drawn as the teachers would draw it."""
    wanted = taught[batch.source].float()
    shares = torch.exp(wanted - rows_of(levels(wanted, batch), batch.owner))
    per_text = torch.zeros(len(batch.sizes), device=surprise.device).index_add(0, batch.owner, shares * surprise)
    return (per_text * batch.weights).sum() / batch.weights.sum()


def loss_of(scores, batch, taught):
    """How surprising the lines wanted are when one line is drawn by softmax(scores)."""
    surprise = rows_of(levels(scores, batch), batch.owner) - scores
    loss = gold_loss(surprise, batch)
    return loss if taught is None else loss + taught_loss(surprise, batch, taught)


def set_scales(model, data, train, seed):
    sample = random.Random(seed).sample(train, min(len(train), 3000))
    rows = torch.cat([data.rows[data.texts[at].place] for at in sample]).float()
    texts = data.constants[torch.tensor(sample, device=data.device)]
    scaled = model.scaled
    scaled.line_mean.copy_(rows.mean(0))
    scaled.line_scale.copy_(1 / rows.std(0).clamp(min=0.02))
    scaled.text_mean.copy_(texts.mean(0))
    scaled.text_scale.copy_(1 / texts.std(0).clamp(min=0.02))


def weigh_mined(data, options, epoch):
    """Mined examples teach at first, labelled ones more and more."""
    progress = epoch / max(1, options.epochs - 1)
    for text in data.texts:
        if text.mined:
            text.weight = options.mined + (options.mined_last - options.mined) * progress


def train_model(data, chosen, options, taught):
    torch.manual_seed(options.seed)
    generator = random.Random(options.seed)
    model = build(data.names, options.dropout).to(data.device)
    set_scales(model, data, chosen, options.seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.lr, weight_decay=options.decay, betas=(0.9, 0.98))
    steps = options.epochs * sum(1 for _ in data.batches(chosen, options.lines))
    current = list(model.state_dict().values())
    averaged = [value.detach().clone() for value in current]
    step = 0
    model.train()
    for epoch in range(options.epochs):
        weigh_mined(data, options, epoch)
        for batch in data.batches(chosen, options.lines, generator):
            pace = min(1, (step + 1) / (0.04 * steps)) * 0.5 * (1 + math.cos(math.pi * step / steps))
            optimizer.param_groups[0]["lr"] = options.lr * max(pace, 0.002)
            loaded = data.load(batch)
            loss = loss_of(model(loaded), loaded, taught)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            keep = min(options.average, (1 + step) / (10 + step))
            with torch.no_grad():
                torch._foreach_lerp_(averaged, current, 1 - keep)
            step += 1
    model.load_state_dict(dict(zip(model.state_dict(), averaged)))
    return model.eval()


def folds_in(name):
    return set() if name == "all" else {int(digit) for digit in name}


def kept_scores(options, folds):
    """The mean of what the teachers made of every line, as soon as they are done."""
    paths = [f"{options.out}/{teacher}-{folds}.pt" for teacher in options.teach.split("+")]
    while not all(os.path.exists(path) for path in paths):
        time.sleep(1)
    return sum(torch.load(path).float() for path in paths) / len(paths)


def teaching(data, options, folds):
    """What teachers say that saw nothing of `folds`, and of each labelled group that never saw this group either."""
    mine = folds_in(folds)
    others = [fold for fold in range(FOLDS) if fold not in mine]
    scores = {fold: kept_scores(options, "".join(map(str, sorted(mine | {fold})))) for fold in others}
    taught = sum(scores.values()) / len(scores)
    for text in data.texts:
        if data.held_out(text, others):
            taught[text.place] = scores[fold_of(text.group)][text.place]
    return taught.half().to(data.device)


def run_job(data, run, folds, options):
    started = time.time()
    name, *changes = run.split(":")
    mine = argparse.Namespace(**vars(options))
    for change in changes:
        option, value = change.split("=")
        setattr(mine, option, type(getattr(options, option))(value))
    train, test = data.split(folds_in(folds))
    taught = teaching(data, mine, folds) if mine.teach else None
    model = train_model(data, train, mine, taught)
    path = f"{options.out}/{name}-{folds}"
    export_model(model, data.names, f"{path}.bin")
    scores = score_texts(model, data, range(len(data.texts)) if mine.keep else test)
    if mine.keep:
        torch.save(scores.cpu(), f"{path}.part")
        os.rename(f"{path}.part", f"{path}.pt")
    with open(f"{path}.json", "w") as file:
        json.dump(measure(scores, data, test), file)
    print(f"{path} done in {time.time() - started:.0f} s", flush=True)


def work(data, jobs, options):
    torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = True
    while (job := jobs.get()) is not None:
        run_job(data, *job, options)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--runs", required=True)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--lines", type=int, default=60_000)
    parser.add_argument("--lr", type=float, default=3e-3)
    parser.add_argument("--decay", type=float, default=0.01)
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--mined", type=float, default=1.0, help="weight of a mined example in the first epoch")
    parser.add_argument("--mined-last", type=float, default=0.1, help="and in the last")
    parser.add_argument("--keep", type=int, default=0, help="1: keep the scores of all lines, to teach others")
    parser.add_argument("--teach", default="", help="names of runs that kept their scores, joined by +")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    data = Dataset(options.data, "cuda" if torch.cuda.is_available() else "cpu")
    print(f"{len(data.texts)} texts, {len(data.rows)} lines", flush=True)
    context = processes.get_context("spawn")
    jobs = context.Queue()
    for entry in options.runs.split(","):
        run, _, folds = entry.partition("@")
        for held_out in folds.split("."):
            jobs.put((run, held_out))
    workers = [context.Process(target=work, args=(data, jobs, options)) for _ in range(options.workers)]
    for worker in workers:
        jobs.put(None)
        worker.start()
    for worker in workers:
        worker.join()


if __name__ == "__main__":
    main()

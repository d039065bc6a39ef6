"""Writes boosted trees as one file in the format of export.py: every tree filled up to the same depth."""

import json
import struct

import numpy as np


def export_trees(model, names, calibration, path):
    """`names`: the columns by the model's feature numbers; `calibration`: slope and offset by kind of command."""
    learner = json.loads(model.save_raw("json"))["learner"]
    trees = learner["gradient_booster"]["model"]["trees"]
    depth = max(depth_of(tree) for tree in trees)
    splits = 2 ** depth - 1
    feature = np.zeros((len(trees), splits), np.float32)
    threshold = np.full((len(trees), splits), np.inf, np.float32)
    leaf = np.zeros((len(trees), splits + 1), np.float32)
    used = sorted({number for tree in trees for number, left in zip(tree["split_indices"], tree["left_children"]) if left >= 0})
    place = {number: at for at, number in enumerate(used)}

    def fill(tree, at, node, source):
        left = tree["left_children"][source]
        if node >= splits:
            leaf[at, node - splits] = tree["split_conditions"][source]
        elif left < 0:
            fill(tree, at, 2 * node + 1, source)
            fill(tree, at, 2 * node + 2, source)
        else:
            feature[at, node] = place[tree["split_indices"][source]]
            threshold[at, node] = tree["split_conditions"][source]
            fill(tree, at, 2 * node + 1, left)
            fill(tree, at, 2 * node + 2, tree["right_children"][source])

    for at, tree in enumerate(trees):
        fill(tree, at, 0, 0)
    base = float(learner["learner_model_param"]["base_score"])
    tensors = {
        "feature": feature, "threshold": threshold, "leaf": leaf, "calibration": np.array(calibration),
        "start": np.array([np.log(base / (1 - base))]), "depth": np.array([depth]),
    }
    write(path, [names[number] for number in used], tensors)


def depth_of(tree, node=0):
    left = tree["left_children"][node]
    return 0 if left < 0 else 1 + max(depth_of(tree, left), depth_of(tree, tree["right_children"][node]))


def write(path, columns, tensors):
    listed, parts, at = [], [], 0
    for name, value in tensors.items():
        half = value.astype(np.float16)
        listed.append({"name": name, "shape": list(half.shape), "at": at})
        parts.append(half.tobytes())
        at += half.size
    header = {"variant": "trees", "columns": columns, "constants": [], "tensors": listed}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<I", len(text)) + text + b"".join(parts))

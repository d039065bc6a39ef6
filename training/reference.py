"""What the exported network makes of our own examples in PyTorch: the TypeScript forward pass is tested against it.

python3 reference.py features.json reference.json neighbours.bin
"""

import json
import struct
import sys
from types import SimpleNamespace

import numpy as np
import torch

from dataset import GAP
from model import build


def read_model(path):
    data = open(path, "rb").read()
    size = struct.unpack("<I", data[:4])[0]
    header = json.loads(data[4: 4 + size])
    values = np.frombuffer(data[4 + size:], np.float16)
    model = build(header, 0)
    model.load_state_dict({
        tensor["name"]: torch.from_numpy(
            values[tensor["at"]: tensor["at"] + int(np.prod(tensor["shape"]))].astype(np.float32).reshape(tensor["shape"]))
        for tensor in header["tensors"]})
    return model.eval(), header


def batch_of(example, header):
    columns = [example["columns"][name] for name in header["columns"]]
    constants = [example["constants"][name] for name in header["constants"]]
    lines = len(columns[0])
    return SimpleNamespace(
        features=torch.tensor(columns).T.contiguous(), constants=torch.tensor([constants]), total=lines + GAP,
        inside=torch.arange(lines), owner=torch.zeros(lines, dtype=torch.long), sizes=torch.tensor([float(lines)]))


def main():
    source, target, path = sys.argv[1:]
    model, header = read_model(path)
    with torch.no_grad():
        answers = {
            example["id"]: [round(float(score), 5) for score in model(batch_of(example, header))]
            for example in json.load(open(source))}
    json.dump(answers, open(target, "w"))


if __name__ == "__main__":
    main()

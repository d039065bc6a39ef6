"""Writes a network as one file: a JSON header, padded to 4 bytes, then every tensor in half precision."""

import json
import struct

import numpy as np


def export_model(model, names, path):
    tensors, parts, at = [], [], 0
    for name, value in model.state_dict().items():
        half = value.detach().float().cpu().numpy().astype(np.float16)
        tensors.append({"name": name, "shape": list(half.shape), "at": at})
        parts.append(half.tobytes())
        at += half.size
    header = {"variant": "neighbours", "columns": names["columns"], "constants": names["constants"], "tensors": tensors}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    with open(path, "wb") as file:
        file.write(struct.pack("<I", len(text)))
        file.write(text)
        for part in parts:
            file.write(part)

"""How telling each word of a goal is, from mined examples of groups that no evaluation set holds.

python3 importance.py features/ word-importance-table.ts
"""

import base64
import glob
import json
import struct
import sys

import numpy as np

SIZE = 4096
FEWEST_TEXTS = 8
FEWEST_GROUPS = 3
PRIOR_TEXTS = 4


def collect(folder):
    """word -> [texts, share of gold lines with it, share of all lines with it, rarity], and its groups."""
    sums, groups = {}, {}
    for index in glob.glob(f"{folder}/*.index.jsonl"):
        prefix = index[: -len("index.jsonl")]
        words = np.memmap(prefix + "words.u32", np.uint32, "r")
        counts = np.memmap(prefix + "counts.u16", np.uint16, "r")
        gold = np.memmap(prefix + "gold.u8", np.uint8, "r")
        goals = np.memmap(prefix + "goal.u32", np.uint32, "r")
        line = word = goal = 0
        for row in open(index):
            entry = json.loads(row)
            mine = goals[goal: goal + entry["goal"]]
            total = entry["lines"]
            answer = gold[line: line + total]
            said = words[word: word + entry["words"]]
            owner = np.repeat(np.arange(total), counts[line: line + total])
            picked = np.isin(said, mine)
            pairs = np.unique(np.stack([said[picked], owner[picked]]), axis=1) if picked.any() else np.zeros((2, 0), int)
            line, word, goal = line + total, word + entry["words"], goal + entry["goal"]
            if not answer.any():
                continue
            for term in np.unique(pairs[0]):
                lines = pairs[1][pairs[0] == term]
                seen = len(lines)
                rarity = np.log(1 + (total - seen + 0.5) / (seen + 0.5))
                sums.setdefault(int(term), np.zeros(4))[:] += (
                    1, answer[lines].sum() / answer.sum(), seen / total, rarity)
                groups.setdefault(int(term), set()).add(entry["group"])
    return sums, groups


def importance(sums, groups):
    everything = sum(sums.values())
    lift = everything[1] / everything[2]
    usual = np.log(lift) / (everything[3] / everything[0])
    values = {}
    for term, (texts, found, expected, rarity) in sums.items():
        prior = PRIOR_TEXTS * expected / texts
        mine = np.log((found + prior * lift) / (expected + prior)) / (rarity / texts)
        values[term] = mine / usual
    rare = np.mean([values[term] for term in sums if sums[term][0] < FEWEST_TEXTS])
    frequent = sorted((term for term in sums if sums[term][0] >= FEWEST_TEXTS and len(groups[term]) >= FEWEST_GROUPS),
                      key=lambda term: -sums[term][0])[:SIZE]
    return {term: float(np.clip(values[term] / rare, 0, 3.9)) for term in frequent}


def main():
    table = importance(*collect(sys.argv[1]))
    entries = b"".join(struct.pack("<IB", term, round(value * 64)) for term, value in sorted(table.items()))
    text = base64.b64encode(entries).decode()
    with open(sys.argv[2], "w") as file:
        file.write("/** Made by training/importance.py: 32-bit hashes of words, each with its importance in 64ths. */\n")
        file.write(f"export const WORD_IMPORTANCE =\n  '{text}';\n")
    spread = np.percentile(list(table.values()), [5, 25, 50, 75, 95])
    print(len(table), "words, importance percentiles", np.round(spread, 2))


if __name__ == "__main__":
    main()

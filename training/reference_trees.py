"""What xgboost itself makes of our own observations: the walk through the trees in WebAssembly is tested against it.

python3 reference_trees.py observations.json trees-all.json names.json trees.json
"""

import json
import sys

import numpy as np
import xgboost as xgb


def main():
    source, model_path, names_path, target = sys.argv[1:]
    model = xgb.Booster(model_file=model_path)
    trained = json.load(open(names_path))
    answers = {}
    for observation in json.load(open(source)):
        place = [observation["names"].index(name) for name in trained]
        rows = np.array(observation["rows"], np.uint16).view(np.float16).astype(np.float32)[:, place]
        margins = model.predict(xgb.DMatrix(rows, nthread=1), output_margin=True)
        answers[observation["id"]] = [round(float(margin), 4) for margin in margins]
    json.dump(answers, open(target, "w"))


if __name__ == "__main__":
    main()

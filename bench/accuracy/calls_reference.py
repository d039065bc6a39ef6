"""Calls inside a Python project as jedi resolves them: one JSON line per call, with the place of what is called."""
import ast
import json
import os
import sys

import jedi

root = os.path.realpath(sys.argv[1])
paths = [line.strip() for line in sys.stdin if line.strip()]
project = jedi.Project(root, smart_sys_path=False, added_sys_path=[root, os.path.join(root, "src")])

for path in paths:
    source = open(os.path.join(root, path), encoding="utf-8").read()
    script = jedi.Script(source, path=os.path.join(root, path), project=project)
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call):
            continue
        callee = node.func
        if not isinstance(callee, (ast.Name, ast.Attribute)):
            continue
        column = callee.end_col_offset - 1
        line_bytes = source.splitlines()[callee.end_lineno - 1].encode("utf-8")
        column = len(line_bytes[:column].decode("utf-8", "ignore"))
        try:
            found = script.goto(callee.end_lineno, column, follow_imports=True, follow_builtin_imports=False)
        except Exception:
            continue
        inside = [
            each
            for each in found
            if each.module_path
            and str(each.module_path).startswith(root + os.sep)
            and each.type in ("function", "class")
        ]
        if len(inside) == 1 and len(found) == 1:
            target = inside[0]
            print(
                json.dumps(
                    {
                        "path": path,
                        "line": node.lineno,
                        "name": target.name,
                        "to": os.path.relpath(str(target.module_path), root),
                        "toLine": target.line,
                        "isType": target.type == "class",
                    }
                )
            )

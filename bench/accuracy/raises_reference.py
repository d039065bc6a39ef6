"""Errors that Python sources raise, with the conditions around them, as `ast` sees them: one JSON line per `raise` that makes an error."""
import ast
import json
import os
import sys

root = sys.argv[1]


def text(node, source):
    return " ".join((ast.get_source_segment(source, node) or "").split())


def visit(node, source, path, conditions):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        conditions = []
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        print(json.dumps({"path": path, "line": node.lineno, "name": text(node.exc.func, source), "conditions": conditions}))
    if isinstance(node, ast.If):
        condition = text(node.test, source)
        for child in node.body:
            visit(child, source, path, conditions + [condition])
        for child in node.orelse:
            visit(child, source, path, conditions + [f"!({condition})"])
        return
    if isinstance(node, ast.ExceptHandler):
        conditions = conditions + ["except"]
    if isinstance(node, ast.match_case):
        conditions = conditions + ["case"]
    for child in ast.iter_child_nodes(node):
        visit(child, source, path, conditions)


for path in (line.strip() for line in sys.stdin if line.strip()):
    source = open(os.path.join(root, path), encoding="utf-8").read()
    visit(ast.parse(source), source, path, [])

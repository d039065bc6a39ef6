"""Errors that Python sources raise, with the conditions around them, as `ast` sees them: one JSON line per `raise` that makes an error."""
import ast
import json
import os
import sys

root = sys.argv[1]


def text(node, source):
    return " ".join((ast.get_source_segment(source, node) or "").split())


LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
LATER = "nothing returned before"


def leaves(body):
    last = body[-1]
    if isinstance(last, ast.If):
        return bool(last.orelse) and leaves(last.body) and leaves(last.orelse)
    return isinstance(last, LEAVES)


def returns(node):
    """Whether a statement has a `return` of the function it is in."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return False
    return isinstance(node, ast.Return) or any(returns(child) for child in ast.iter_child_nodes(node))


def after(statement, source):
    """What holds behind a statement: the opposite of the condition under which it left the block."""
    if isinstance(statement, ast.If) and not statement.orelse and leaves(statement.body):
        return [f"!({text(statement.test, source)})"]
    return [LATER] if returns(statement) else []


def shown(exits):
    known = [each for each in exits if each != LATER]
    return known[-3:] + ([LATER] if LATER in exits else [])


def visit_block(body, source, path, conditions, exits):
    for statement in body:
        visit(statement, source, path, conditions, exits)
        exits = exits + after(statement, source)


def visit(node, source, path, conditions, exits):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        conditions, exits = [], []
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        found = {"path": path, "line": node.lineno, "name": text(node.exc.func, source)}
        print(json.dumps({**found, "conditions": conditions + shown(exits)}))
    if isinstance(node, ast.If):
        condition = text(node.test, source)
        visit_block(node.body, source, path, conditions + [condition], [])
        visit_block(node.orelse, source, path, conditions + [f"!({condition})"], [])
        return
    if isinstance(node, ast.ExceptHandler):
        conditions, exits = conditions + ["except"], []
    if isinstance(node, ast.match_case):
        conditions, exits = conditions + ["case"], []
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            visit_block(value, source, path, conditions, exits)
        else:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    visit(child, source, path, conditions, exits)


for path in (line.strip() for line in sys.stdin if line.strip()):
    source = open(os.path.join(root, path), encoding="utf-8").read()
    visit(ast.parse(source), source, path, [], [])

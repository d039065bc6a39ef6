"""What Python's own `ast` and `tokenize` say a module declares, one JSON object a line.

For each module named on standard input (one path a line): the exported names, and for every function and class
at module or class level its signature as the source writes it, from the first decorator to the colon before the body.
"""

import ast
import io
import json
import sys
import tokenize


def flat(body):
    """Statements of a module or class, those inside `if`, `try` and `with` among them."""
    for node in body:
        if isinstance(node, (ast.If, ast.Try, ast.With)) or type(node).__name__ == "TryStar":
            yield from flat(node.body)
            for handler in getattr(node, "handlers", []):
                yield from flat(handler.body)
            yield from flat(getattr(node, "orelse", []))
            yield from flat(getattr(node, "finalbody", []))
        else:
            yield node


def targets(node):
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, (ast.Tuple, ast.List)):
        for element in node.elts:
            yield from targets(element)
    elif isinstance(node, ast.Starred):
        yield from targets(node.value)


def assigned(node):
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from targets(target)
    elif isinstance(node, ast.AnnAssign):
        yield from targets(node.target)


def strings(node):
    return [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def all_names(statements):
    """The literal names `__all__` is given; None when the module has none."""
    names = None
    for node in statements:
        if isinstance(node, ast.AnnAssign) and node.value is not None and list(targets(node.target)) == ["__all__"]:
            names = (names or []) + strings(node.value)
        elif isinstance(node, ast.Assign) and "__all__" in list(assigned(node)):
            names = (names or []) + strings(node.value)
        elif isinstance(node, ast.AugAssign) and list(targets(node.target)) == ["__all__"]:
            names = (names or []) + strings(node.value)
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            function = node.value.func
            if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "__all__":
                names = (names or []) + [text for argument in node.value.args for text in strings(argument)]
    return names


def imported(statements):
    for node in statements:
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, alias.asname is not None and alias.asname == alias.name
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name, alias.asname is not None and alias.asname == alias.name


def is_public(name):
    return not name.startswith("_") or (name.startswith("__") and name.endswith("__") and len(name) > 4)


class Source:
    def __init__(self, text):
        self.lines = text.splitlines(keepends=True)
        self.text = text
        self.tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
        self.first = {}
        for index, token in enumerate(self.tokens):
            self.first.setdefault(token.start, index)

    def column(self, line, byte_offset):
        return len(self.lines[line - 1].encode("utf-8")[:byte_offset].decode("utf-8"))

    def signature(self, node):
        line, column = node.lineno, self.column(node.lineno, node.col_offset)
        index = self.first[(line, column)]
        start = index
        if node.decorator_list:
            decorator = node.decorator_list[0]
            start = self.first[(decorator.lineno, self.column(decorator.lineno, decorator.col_offset))]
            while self.tokens[start].string != "@":
                start -= 1
        depth = 0
        while True:
            token = self.tokens[index]
            if token.type == tokenize.OP:
                if token.string in "([{":
                    depth += 1
                elif token.string in ")]}":
                    depth -= 1
                elif token.string == ":" and depth == 0:
                    break
            # A lambda among the defaults stands inside the parentheses, so its colon is never at depth 0.
            index += 1
        return self.slice(self.tokens[start].start, self.tokens[index].start).rstrip()

    def slice(self, start, end):
        if start[0] == end[0]:
            return self.lines[start[0] - 1][start[1] : end[1]]
        middle = self.lines[start[0] : end[0] - 1]
        return self.lines[start[0] - 1][start[1] :] + "".join(middle) + self.lines[end[0] - 1][: end[1]]


def definitions(source, body):
    for node in flat(body):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield {"name": node.name, "signature": source.signature(node), "members": []}
        elif isinstance(node, ast.ClassDef):
            members = list(definitions(source, node.body))
            yield {"name": node.name, "signature": source.signature(node), "members": members}


def describe(path):
    with tokenize.open(path) as file:
        text = file.read()
    tree = ast.parse(text)
    statements = list(flat(tree.body))
    declared = [node.name for node in statements if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    declared += [name for node in statements for name in assigned(node)]
    declared += [node.name.id for node in statements if type(node).__name__ == "TypeAlias"]
    listed = all_names(statements)
    if listed is None:
        names = [name for name in declared if is_public(name)]
        names += [name for name, explicit in imported(statements) if explicit]
    else:
        known = set(declared) | {name for name, _ in imported(statements)}
        names = [name for name in listed if name in known]
    return {"path": path, "names": sorted(set(names)), "definitions": list(definitions(Source(text), tree.body))}


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        print(json.dumps(describe(path)))
    except (SyntaxError, UnicodeDecodeError, ValueError) as error:
        print(json.dumps({"path": path, "error": str(error)}))

"""Which files of a project need which others, found without our code: Python's own `ast` for Python, and for the other languages
import statements by regular expressions and rules written a second time. Reads {"base", "files"} as JSON, writes [[from, to], ...]."""

import ast
import json
import os
import re
import sys

request = json.load(sys.stdin)
base, files = request["base"], request["files"]
known = set(files)
edges = set()


def text_of(path):
    with open(os.path.join(base, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def add(source, target):
    if target is not None and target in known and target != source:
        edges.add((source, target))


def without_comments(text):
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match.group().count("\n"), text, flags=re.S)
    return re.sub(r"(?m)//.*$", "", text)


# Python: a package is a folder with __init__.py; what lies above the topmost one is on the path.
def python_root(path):
    folder = os.path.dirname(path)
    while folder and os.path.join(folder, "__init__.py") in known:
        folder = os.path.dirname(folder)
    return folder


def python_module(folder, dotted):
    path = os.path.normpath(os.path.join(folder, *dotted.split("."))) if dotted else folder
    for candidate in (path + ".py", os.path.join(path, "__init__.py"), path + ".pyi"):
        if candidate in known:
            return candidate
    return None


def python_edges(path, roots):
    for node in ast.walk(ast.parse(text_of(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                for root in roots:
                    found = python_module(root, alias.name)
                    if found:
                        add(path, found)
                        break
        if isinstance(node, ast.ImportFrom):
            folders = roots
            if node.level:
                folder = os.path.dirname(path)
                for _ in range(node.level - 1):
                    folder = os.path.dirname(folder)
                folders = [folder]
            for folder in folders:
                own = python_module(folder, node.module or "")
                subs = [python_module(folder, ".".join(filter(None, [node.module, alias.name]))) for alias in node.names]
                if own is None and not any(subs):
                    continue
                for sub in subs:
                    add(path, sub or own)
                break


def go_edges(path, modules):
    text = text_of(path)
    block = re.findall(r'(?ms)^import\s*\((.*?)^\)', text) + re.findall(r'(?m)^import\s+(.*)$', text)
    for name in re.findall(r'"([^"]+)"', "\n".join(block)):
        for module, folder in modules:
            if name != module and not name.startswith(module + "/"):
                continue
            where = os.path.normpath(os.path.join(folder, name[len(module) + 1:])) if name != module else folder or "."
            for other in files:
                if (os.path.dirname(other) or ".") == where and other.endswith(".go") and not other.endswith("_test.go"):
                    add(path, other)
            break


# Java: the path of a class is its name; a star means the classes of a folder that the file names.
def java_edges(path):
    text = without_comments(text_of(path))
    words = set(re.findall(r"\w+", text))
    for name in re.findall(r"(?m)^\s*import\s+(?:static\s+)?([\w.]+(?:\.\*)?)\s*;", text):
        if name.endswith(".*"):
            folder = "/" + name[:-2].replace(".", "/") + "/"
            inside = [o for o in files if o.endswith(".java") and ("/" + o).rpartition("/")[0].endswith(folder[:-1])]
            for other in inside:
                if os.path.basename(other)[:-5] in words:
                    add(path, other)
            if inside:
                continue
            name = name[:-2]
        parts = name.split(".")
        while len(parts) > 1:
            tail = "/" + "/".join(parts) + ".java"
            found = [other for other in files if ("/" + other).endswith(tail)]
            if found:
                near = [other for other in found if other.split("/")[0] == path.split("/")[0]]
                add(path, (near or found)[0])
                break
            kotlins = kotlin.get((".".join(parts[:-1]), parts[-1]), set())
            if kotlins:
                seen = {other for other in kotlins if source_set(other) in (source_set(path), "main", "commonMain")}
                for other in seen or kotlins:
                    add(path, other)
                break
            parts.pop()


# Kotlin: who declares the last name at the left edge of a file of that package.
def kotlin_index():
    index = {}
    for path in files:
        if not path.endswith((".kt", ".java")):
            continue
        text = without_comments(text_of(path))
        package = (re.search(r"(?m)^package\s+([\w.]+)", text) or [None, ""])[1]
        for line in text.split("\n"):
            if line[:1] in (" ", "\t", "", "}"):
                continue
            found = re.search(r"\b(?:(?:enum\s+)?class|interface|object|enum|record|fun|val|var|typealias)\s+(.*)", line)
            if not found:
                continue
            head = re.sub(r"^<[^>]*>\s*", "", found[1])
            head = re.split(r"[(:={]", re.sub(r"<[^<>]*>", "", re.sub(r"<[^<>]*>", "", head)))[0].strip()
            name = head.split()[0].split(".")[-1].strip("`?") if head.split() else ""
            index.setdefault((package, name), set()).add(path)
    return index


def source_set(path):
    found = re.search(r"(?:^|/)src/([^/]+)/", path)
    return found[1] if found else None


def kotlin_edges(path, index):
    text = without_comments(text_of(path))
    for name in re.findall(r"(?m)^import\s+([\w.`]+)", text):
        parts = name.replace("`", "").split(".")
        while len(parts) > 1:
            found = index.get((".".join(parts[:-1]), parts[-1]), set())
            if found:
                seen = {other for other in found if source_set(other) in (source_set(path), "main", "commonMain")}
                for other in seen or found:
                    add(path, other)
                break
            parts.pop()


# PHP: the file is called as the class, and says the namespace.
def php_index():
    index = {}
    for path in files:
        if path.endswith(".php"):
            found = re.search(r"(?m)^\s*namespace\s+([\w\\]+)", text_of(path))
            index.setdefault(((found[1] + "\\") if found else "") + os.path.basename(path)[:-4], path)
    return index


def php_functions():
    index = {}
    for path in files:
        if path.endswith(".php"):
            text = text_of(path)
            found = re.search(r"(?m)^\s*namespace\s+([\w\\]+)", text)
            for name in re.findall(r"(?m)^\s*function\s+(\w+)", text):
                index.setdefault(((found[1] + "\\") if found else "") + name, path)
    return index


def php_edges(path, index):
    text = re.sub(r"(?m)^\s*(?:\*|#|//).*$", "", text_of(path))
    head = re.split(r"(?m)^\s*(?:(?:abstract|final|readonly)\s+)*(?:class|interface|trait|enum)\s+\w", text)[0]
    for name in re.findall(r"(?m)^use\s+function\s+([\w\\]+);", head):
        add(path, functions.get(name))
    for statement in re.findall(r"(?m)^use\s+(?!function\b|const\b)([^;(]+);", head):
        group = re.match(r"([\w\\]+)\\\{([^}]*)\}", statement)
        names = [group[1] + "\\" + part.strip() for part in group[2].split(",")] if group else statement.split(",")
        for name in names:
            add(path, index.get(re.split(r"\s+as\s+", name.strip())[0].lstrip("\\")))


# C#: a type is called as its file; of a namespace a file needs the types it names.
def csharp_index():
    index = {}
    for path in files:
        if path.endswith(".cs"):
            for name in set(re.findall(r"(?m)^\s*namespace\s+([\w.]+)", text_of(path))):
                index.setdefault(name, []).append(path)
    return index


def csharp_types(path, cache={}):
    if path not in cache:
        names, depth = [], 0
        text = re.sub(r'@?\$?"(?:[^"\\\n]|\\.)*"', '""', without_comments(text_of(path)))
        outer = 0 if re.search(r"(?m)^\s*namespace\s+[\w.]+\s*;", text) else 1
        for line in text.split("\n"):
            while re.search(r"<[^<>]*>", line):
                line = re.sub(r"<[^<>]*>\??", "", line)
            found = re.match(r"\s*(?:\[.*\]\s*)?(?:\w+\s+)*?(?:class|interface|struct|enum|record|delegate\s+\S+)\s+(\w+)", line)
            if found and depth == outer and ":" not in line[:found.start(1)]:
                names.append(found[1])
            depth += line.count("{") - line.count("}")
        cache[path] = names
    return cache[path]


# A file also sees what a `global using` of its project names: the sources below the nearest .csproj, and that file itself.
def csharp_globals(path, cache={}):
    projects = {os.path.dirname(other) for other in request["manifests"] if other.endswith(".csproj")}
    home = os.path.dirname(path)
    while home and home not in projects:
        home = os.path.dirname(home)
    if home not in cache:
        inside = [other for other in files if other.endswith(".cs") and (home == "" or other.startswith(home + "/"))]
        names = {name for other in inside for name in re.findall(r"(?m)^\s*global\s+using\s+(?:static\s+)?([\w.]+)\s*;", text_of(other))}
        for other in request["manifests"]:
            above = os.path.dirname(other)
            if os.path.basename(other) == "Directory.Build.props" and (home + "/").startswith(above + "/" if above else ""):
                names.update(re.findall(r'<Using\s+Include="([\w.]+)"', text_of(other)))
            if other.endswith(".csproj") and above == home:
                names.update(re.findall(r'<Using\s+Include="([\w.]+)"', text_of(other)))
        cache[home] = names
    return cache[home]


def csharp_edges(path, index):
    text = text_of(path)
    words = set(re.findall(r"\w+", text))
    own = re.findall(r"(?m)^\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;", text)
    for name in {*own, *csharp_globals(path)}:
        for other in index.get(name, []):
            if words.intersection(csharp_types(other)):
                add(path, other)


def ruby_edges(path):
    text = text_of(path)
    libraries = sorted({match[0] for match in (re.match(r"(?:.*/)?lib(?=/)", other) for other in files) if match})
    for kind, name in re.findall(r"""(?m)^\s*(require|require_relative|load|autoload\s*\(?\s*:\w+\s*,)[\s(]*['"]([^'"#]+)['"]""", text):
        name = name if name.endswith(".rb") else name + ".rb"
        if kind == "require_relative":
            add(path, os.path.normpath(os.path.join(os.path.dirname(path), name)))
            continue
        for library in [*libraries, ""]:
            target = os.path.normpath(os.path.join(library, name))
            if target in known:
                add(path, target)
                break


def include_edges(path):
    for name in re.findall(r'(?m)^\s*#\s*include\s*"([^"]+)"', text_of(path)):
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        if beside in known:
            add(path, beside)
            continue
        add(path, name if name in known else next((o for o in files if o.endswith("/include/" + name)), None))


# Rust: statements up to their semicolon, trees taken apart, the longest path that is a file.
def rust_tree(text):
    text = text.strip()
    start = text.find("{")
    if start < 0:
        return [re.split(r"\s+as\s+", text)[0]]
    inside, prefix, depth, part, parts = text[start + 1:text.rfind("}")], text[:start], 0, "", []
    for letter in inside:
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    return [whole for each in [*parts, part] if each.strip() for whole in rust_tree(prefix + each.strip())]


def rust_crates():
    crates = {}
    for path in files + request["manifests"]:
        if os.path.basename(path) == "Cargo.toml":
            found = re.search(r'(?ms)^\[package\].*?^name\s*=\s*"([^"]+)"', text_of(path))
            if found:
                crates[found[1].replace("-", "_")] = os.path.normpath(os.path.join(os.path.dirname(path), "src"))
    return crates


def rust_edges(path, crates):
    text = re.sub(r'(?m)//.*$', "", text_of(path))
    folder = os.path.dirname(path)
    root = folder
    while root and not {os.path.join(root, "lib.rs"), os.path.join(root, "main.rs")} & known:
        root = os.path.dirname(root)
    if not {os.path.join(root, "lib.rs"), os.path.join(root, "main.rs")} & known:
        root = folder
    here = [] if os.path.basename(path) in ("lib.rs", "main.rs") or root == folder and os.path.basename(path) != "mod.rs" and not {os.path.join(root, "lib.rs"), os.path.join(root, "main.rs")} & known else re.sub(r"(/mod)?\.rs$", "", os.path.relpath(path, root)).split("/")
    paths = [["self", name] for name in re.findall(r"(?m)^\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;", text)]
    top = re.findall(r"(?m)^(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]+);", text)
    # Inside macro calls, which indent what they hold, a path may begin with a module of this file.
    starts = ["crate", *crates, *re.findall(r"\bmod\s+(\w+)\s*;", text)]
    top += re.findall(r"(?m)^[ \t]+(?:pub(?:\([^)]*\))?\s+)?use\s+((?:" + "|".join(starts) + r")::[^;]+);", text)
    for name in re.findall(r'#\[path\s*=\s*"([^"]+)"\]', text):
        add(path, os.path.normpath(os.path.join(folder, name)))
    paths += [[part.strip() for part in each.split("::") if part.strip()] for statement in top for each in rust_tree(" ".join(statement.split()))]
    for parts in paths:
        certain = True
        if parts[0] in ("self", "super"):
            at = list(here)
            while parts and parts[0] in ("self", "super"):
                at = at[:-1] if parts[0] == "super" else at
                parts = parts[1:]
            where, names = root, at + parts
        elif parts[0] == "crate":
            where, names = root, parts[1:]
        elif parts[0] in crates:
            where, names = crates[parts[0]], parts[1:]
        else:
            where, names, certain = root, here + parts, False
            if not {os.path.join(where, *here, parts[0] + ".rs"), os.path.join(where, *here, parts[0], "mod.rs")} & known:
                continue
        target = None
        for end in range(len(names), 0, -1):
            stem = os.path.join(where, *names[:end])
            target = next((each for each in (stem + ".rs", os.path.join(stem, "mod.rs")) if each in known), None)
            if target:
                break
        if target is None and certain:
            target = next((each for each in (os.path.join(where, "lib.rs"), os.path.join(where, "main.rs")) if each in known), None)
        add(path, target)


go_modules = sorted(
    ((re.search(r"(?m)^module\s+(\S+)", text_of(path))[1], os.path.dirname(path)) for path in request["manifests"] if path.endswith("go.mod")),
    key=lambda pair: -len(pair[0]),
)
python_roots = sorted({python_root(path) for path in files if path.endswith(".py")})
extensions = {os.path.splitext(path)[1] for path in files}
kotlin = kotlin_index() if ".kt" in extensions else {}
php = php_index() if ".php" in extensions else {}
functions = php_functions() if ".php" in extensions else {}
csharp = csharp_index() if ".cs" in extensions else {}
crates = rust_crates() if ".rs" in extensions else {}
for path in files:
    extension = os.path.splitext(path)[1]
    if extension == ".py":
        python_edges(path, python_roots)
    elif extension == ".go":
        go_edges(path, go_modules)
    elif extension == ".java":
        java_edges(path)
    elif extension == ".kt":
        kotlin_edges(path, kotlin)
    elif extension == ".php":
        php_edges(path, php)
    elif extension == ".cs":
        csharp_edges(path, csharp)
    elif extension in (".rb", ".gemspec", ".rake", ".ru"):
        ruby_edges(path)
    elif extension in (".h", ".c", ".cc", ".cpp", ".hpp", ".inc"):
        include_edges(path)
    elif extension == ".rs":
        rust_edges(path, crates)
json.dump(sorted(edges), sys.stdout)

"""What libclang says a C or C++ file declares, one JSON object a line for each path on standard input.

Arguments: the language (`c`, `c++`) and folders to include from. Namespaces are left out of names; lines the
preprocessor passed over are given, since nobody can judge what stands there.
"""

import ctypes
import json
import re
import sys

from clang.cindex import AccessSpecifier, Config, CursorKind, Index, SourceRange, TranslationUnit

LANGUAGE, *FOLDERS = sys.argv[1:]
FLAGS = ["-x", LANGUAGE, "-std=c++20" if LANGUAGE == "c++" else "-std=gnu11", *(f"-I{each}" for each in FOLDERS)]
TRANSPARENT = {CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL}
TYPES = {
    CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL, CursorKind.CLASS_TEMPLATE,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
}
FUNCTIONS = {
    CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR,
    CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
}
OTHERS = {
    CursorKind.FIELD_DECL, CursorKind.VAR_DECL, CursorKind.TYPEDEF_DECL, CursorKind.TYPE_ALIAS_DECL,
    CursorKind.TYPE_ALIAS_TEMPLATE_DECL, CursorKind.ENUM_CONSTANT_DECL,
}


class RangeList(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(SourceRange))]


LIBRARY = Config().lib
LIBRARY.clang_getSkippedRanges.restype = ctypes.POINTER(RangeList)
LIBRARY.clang_getSkippedRanges.argtypes = [ctypes.c_void_p, ctypes.c_void_p]


class Reader:
    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.source = file.read()
        self.items = []
        options = TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD | TranslationUnit.PARSE_SKIP_FUNCTION_BODIES
        self.unit = Index.create().parse(path, FLAGS, options=options)
        self.macro_lines = set()
        self.lent = {}
        self.macros()
        self.children("", True, self.unit.cursor)

    def here(self, cursor):
        return cursor.location.file is not None and cursor.location.file.name == self.path

    def macros(self):
        for cursor in self.unit.cursor.get_children():
            if not self.here(cursor):
                continue
            if cursor.kind == CursorKind.MACRO_DEFINITION and not self.is_guard(cursor):
                self.add(cursor.spelling, True, None)
            if cursor.kind == CursorKind.MACRO_INSTANTIATION:
                self.macro_lines.update(range(cursor.extent.start.line, cursor.extent.end.line + 1))

    def is_guard(self, cursor):
        """`#ifndef X` right before `#define X` without a value."""
        is_empty = cursor.extent.end.offset - cursor.extent.start.offset == len(cursor.spelling.encode())
        above = self.source[: cursor.extent.start.offset].decode("utf-8", "replace").rstrip().splitlines()[:-1]
        last = next((line for line in reversed(above) if line.strip()), "")
        return is_empty and re.match(rf"\s*#\s*(ifndef|if !defined)\s*\(?\s*{cursor.spelling}\b", last) is not None

    def skipped(self):
        file = self.unit.get_file(self.path)
        found = LIBRARY.clang_getSkippedRanges(self.unit.obj, file.obj).contents
        return [[found.ranges[i].start.line, found.ranges[i].end.line] for i in range(found.count)]

    def children(self, owner, open_, cursor):
        for each in cursor.get_children():
            self.lend_name(each)
        for each in cursor.get_children():
            if self.here(each):
                self.declaration(owner, open_, each)

    def lend_name(self, cursor):
        """`typedef enum { A } kind;`, `struct { int a; } point;`: what has no name goes by that of what it is declared with."""
        if cursor.kind == CursorKind.TYPEDEF_DECL:
            declared = cursor.underlying_typedef_type.get_declaration()
        elif cursor.kind in (CursorKind.FIELD_DECL, CursorKind.VAR_DECL):
            declared = cursor.type.get_declaration()
        else:
            return
        if self.is_nameless(declared):
            self.lent.setdefault(declared.hash, cursor.spelling)

    def is_nameless(self, cursor):
        return cursor.is_anonymous() or cursor.spelling == ""

    def named(self, cursor):
        return self.lent.get(cursor.hash, "") if self.is_nameless(cursor) else cursor.spelling

    def declaration(self, owner, open_, cursor):
        kind = cursor.kind
        if kind in TRANSPARENT:
            anonymous = kind == CursorKind.NAMESPACE and cursor.spelling == ""
            return self.children(owner, open_ and not anonymous, cursor)
        if kind == CursorKind.FRIEND_DECL:
            return [self.declaration(owner, True, each) for each in cursor.get_children() if each.kind in FUNCTIONS and self.here(each)]
        seen = open_ and cursor.access_specifier != AccessSpecifier.PRIVATE
        if kind in TYPES:
            return self.type(owner, seen, cursor)
        if kind == CursorKind.ENUM_DECL:
            own = self.named(cursor)
            if own:
                self.add(owner + own, seen, None)
            prefix = f"{owner}{own}." if own else owner
            for each in cursor.get_children():
                if each.kind == CursorKind.ENUM_CONSTANT_DECL:
                    self.add(prefix + each.spelling, seen, None)
            return None
        if kind in FUNCTIONS and not self.is_elsewhere(cursor):
            return self.add(owner + self.name(cursor), seen, self.head(cursor))
        if kind in OTHERS and cursor.spelling and not self.is_elsewhere(cursor):
            self.add(owner + cursor.spelling, seen, None)
        return None

    def name(self, cursor):
        """A conversion has its type for a name, which libclang writes in its own words."""
        if cursor.kind == CursorKind.CONVERSION_FUNCTION or cursor.spelling.startswith("operator type-parameter"):
            return "operator cast"
        return cursor.spelling if cursor.spelling.startswith("operator") else cursor.spelling.split("<")[0]

    def is_elsewhere(self, cursor):
        """The definition of a member outside its class: the class has declared it."""
        semantic, lexical = cursor.semantic_parent, cursor.lexical_parent
        return semantic is not None and semantic.kind in TYPES and semantic != lexical

    def type(self, owner, seen, cursor):
        if not cursor.is_definition():
            return
        own = self.named(cursor)
        if not own:
            return self.children(owner, seen, cursor)
        self.add(owner + own, seen, None)
        self.children(f"{owner}{own}.", seen, cursor)

    def add(self, name, exported, signature):
        self.items.append({"name": name, "exported": exported, "signatures": [signature] if signature else []})

    def head(self, cursor):
        """From the start of a declaration to its body; nothing where a macro wrote a part of it."""
        start, end = cursor.extent.start, cursor.extent.end
        for child in cursor.get_children():
            if child.kind == CursorKind.COMPOUND_STMT:
                end = child.extent.start
        if any(line in self.macro_lines for line in range(start.line, end.line + 1)):
            return None
        text = self.source[start.offset : end.offset].decode("utf-8", "replace")
        return text.strip() if cursor.kind != CursorKind.CONSTRUCTOR else None


for line in sys.stdin:
    path = line.rstrip("\n")
    try:
        reader = Reader(path)
        fatal = [each.spelling for each in reader.unit.diagnostics if each.severity >= 4]
        answer = {"error": fatal[0]} if fatal else {"items": reader.items, "skipped": reader.skipped()}
        print(json.dumps({"path": path, **answer}), flush=True)
    except Exception as error:  # a file libclang cannot read is named, and left out
        print(json.dumps({"path": path, "error": str(error)}), flush=True)

import { expect, it } from 'vitest';
import { ourCalls } from '../../../bench/accuracy/our-calls.ts';
import { project } from '../../support/spec-project.ts';

/** Calls of a project as `caller > called`. */
async function callsOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await ourCalls(project(files));
  return edges.filter(({ kind }) => kind === 'call').map(({ from, to }) => `${from.name} > ${to.name}`);
}

it('[R70] Go: the call graph resolves receivers that are parameters, fields, results or packages, and omits the standard library', async () => {
  const calls = await callsOf({
    'go.mod': 'module example.com/x\n',
    'mux.go':
      'package x\n\nimport (\n\t"context"\n\t"sync"\n\n\t"example.com/x/tree"\n)\n\ntype Mux struct {\n\tpool *sync.Pool\n\troot *tree.Node\n}\n\nfunc (m *Mux) Put(s string) {}\n\nfunc NewMux() *Mux { return &Mux{} }\n\nfunc (m *Mux) Serve(ctx context.Context) {\n\tctx.Value("a")\n\tm.pool.Put(ctx)\n\tm.root.Find()\n\ttree.Make()\n\tsub := NewMux()\n\tsub.Put("a")\n}\n',
    'other.go': 'package x\n\ntype Other struct{}\n\nfunc (o Other) Value(s string) {}\n',
    'tree/tree.go': 'package tree\n\ntype Node struct{}\n\nfunc (n *Node) Find() {}\n\nfunc Make() {}\n',
  });
  expect(calls).toEqual([
    'Mux.Serve > Node.Find',
    'Mux.Serve > Make',
    'Mux.Serve > NewMux',
    'Mux.Serve > Mux.Put',
  ]);
});

it('[R70] Java: the call graph does not confuse a type of another package with a project type of the same name', async () => {
  const calls = await callsOf({
    'src/main/java/a/Response.java':
      'package a;\n\npublic final class Response {\n  public boolean isOk() { return true; }\n  static Response of(okhttp3.Response raw, Response own) {\n    raw.isOk();\n    own.isOk();\n    return new Response();\n  }\n}\n',
    'src/main/java/a/Call.java':
      'package a;\n\nimport okhttp3.Response;\n\nclass Call {\n  private final Base base = new Base();\n  void run(Response raw) {\n    raw.isOk();\n    base.go();\n    this.go();\n    go();\n  }\n  void go() {}\n}\n',
    'src/main/java/a/Base.java': 'package a;\n\nclass Base {\n  void go() {}\n}\n',
  });
  expect(calls).toEqual([
    'Call. > Base',
    'Call.run > Base.go',
    'Call.run > Call.go',
    'Call.run > Call.go',
    'Response.of > Response.isOk',
    'Response.of > Response',
  ]);
});

it('[R70] Python: the call graph resolves self, inherited methods, imported names and annotated types, but no unknown receivers', async () => {
  const calls = await callsOf({
    'pkg/__init__.py': '',
    'pkg/base.py': 'class Base:\n    def stop(self): ...\n\ndef helper(): ...\n',
    'pkg/app.py':
      'import json\nfrom .base import Base, helper as h\nfrom . import base\n\nclass App(Base):\n    def __init__(self, other: Base):\n        self.other = other\n\n    def run(self, thing, typed: "Base | None"):\n        self.stop()\n        self.other.stop()\n        thing.stop()\n        typed.stop()\n        json.dumps(1)\n        h()\n        base.helper()\n',
  });
  expect(calls).toEqual([
    'App.run > Base.stop',
    'App.run > Base.stop',
    'App.run > Base.stop',
    'App.run > helper',
    'App.run > helper',
  ]);
});

it('[R70] CommonJS: the call graph resolves calls of required names, prototypes and constructor functions', async () => {
  const calls = await callsOf({
    'reply.js':
      'function Reply (res) { this.res = res }\nReply.prototype.send = function () { return this.code() }\nReply.prototype.code = function () {}\nmodule.exports = Reply\nmodule.exports.build = function build () { return new Reply() }\n',
    'index.js':
      "const Reply = require('./reply')\nconst { build } = require('./reply')\nconst fs = require('node:fs')\nfunction start (code) {\n  build()\n  fs.send()\n  code()\n  const r = new Reply()\n  r.send()\n}\nmodule.exports = start\n",
  });
  expect(calls).toEqual([
    'start > build',
    'start > Reply',
    'start > Reply.send',
    'Reply.send > Reply.code',
    'build > Reply',
  ]);
});

it('[R70] the call graph resolves paths, Self, fields and results in Rust, PHP, Ruby, Kotlin, C# and C++', async () => {
  expect(
    await callsOf({
      'Cargo.toml': '[package]\nname = "x"\n',
      'src/lib.rs':
        'mod lines;\nuse crate::lines::Lines;\n\npub struct A { lines: Lines }\nimpl A {\n    pub fn new() -> Self { Self::check(); A { lines: Lines::open().unwrap() } }\n    fn check() {}\n    pub fn go(&self, v: Vec<u8>) { self.lines.count(); crate::lines::free(); v.len(); }\n}\n',
      'src/lines.rs':
        'pub struct Lines;\nimpl Lines {\n    pub fn open() -> Result<Lines, E> { todo!() }\n    pub fn count(&self) -> u8 { 1 }\n    pub fn len(&self) {}\n}\npub fn free() {}\n',
    }),
  ).toEqual(['A.new > A.check', 'A.new > Lines.open', 'A.go > Lines.count', 'A.go > free']);
  expect(
    await callsOf({
      'src/A.php':
        '<?php\nnamespace X;\nclass A {\n  public function __construct(private B $b) {}\n  function go($c) { $this->b->run(); $c->run(); self::make(); $d = new B(); $d->run(); }\n  static function make() {}\n}\n',
      'src/B.php': '<?php\nnamespace X;\nclass B { function run() {} }\n',
    }),
  ).toEqual(['A.go > B.run', 'A.go > A.make', 'A.go > B', 'A.go > B.run']);
  expect(
    await callsOf({
      'lib/a.rb':
        'class A\n  def go(c)\n    helper\n    @b = B.new\n    @b.run\n    c.run\n  end\n\n  def helper; end\nend\n',
      'lib/b.rb': 'class B\n  def run; end\nend\n',
    }),
  ).toEqual(['A.go > A.helper', 'A.go > B', 'A.go > B.run']);
  expect(
    await callsOf({
      'src/main/kotlin/a/A.kt':
        'package a\nclass B { fun run() {} }\nclass A(private val b: B) {\n  fun go(c: C) { b.run(); c.run(); helper() }\n  fun helper() {}\n}\n',
    }),
  ).toEqual(['A.go > B.run', 'A.go > A.helper']);
  expect(
    await callsOf({
      'A.cs':
        'class B { public void Run() {} }\nclass A { private readonly B _b; void Go(C c) { _b.Run(); c.Run(); this.Help(); } void Help() {} }\n',
    }),
  ).toEqual(['A.Go > B.Run', 'A.Go > A.Help']);
  expect(
    await callsOf({
      'a.cpp':
        'class B { public: void run() {} };\nclass A { B* b; void go(C& c) { b->run(); c.run(); } };\n',
    }),
  ).toEqual(['A.go > B.run']);
});

it('[R70] the call graph finds a call of an imported function even if an object has a method of the same name', async () => {
  const calls = await callsOf({
    'request.js':
      "var accepts = require('accepts');\nvar req = module.exports = {};\nreq.accepts = function () { return accepts(this); };\nreq.languages = function () { return accepts(this).languages(); };\n",
  });
  expect(calls).toEqual([]);
});

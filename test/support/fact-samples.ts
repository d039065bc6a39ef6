/** Code to which a row of a table of facts applies (`yes`) and to which it does not (`no`), by languages and kind of the row. */
export interface Sample {
  yes: string;
  no: string;
}

export const checkSamples: Readonly<Record<string, Sample>> = {
  'javascript typescript tsx check': {
    yes: 'function f(a) { assert(a > 0, "a is small") }',
    no: "function f(a) { const b = require('./b'); check(a); assertNotStarted(a) }",
  },
  'java check': {
    yes: 'class A { void f(String a) { Objects.requireNonNull(a, "a == null"); } }',
    no: 'class A { void f(String a) { validator.require(a); check(a); } }',
  },
  'java kotlin check': {
    yes: 'class A { void f(int a) { checkArgument(a > 0, "a is small"); } }',
    no: 'class A { void f(int a) { checkIn(a); checker.checkState(a); } }',
  },
  'kotlin check': {
    yes: 'fun f(a: Int) { require(a > 0) { "a is small" } }',
    no: 'fun f(a: Int) { door.check(a); required(a) }',
  },
  'kotlin raise': {
    yes: 'fun f(a: Int) { error("no way") }',
    no: 'fun f(a: Int) { log.error("no way") }',
  },
  'rust check': {
    yes: 'fn f(a: usize) { assert!(a > 0, "a is small"); }',
    no: 'fn f(a: usize) { assert_send(a); matches!(a, 1); debug_assert!(a > 0); }',
  },
  'rust raise': {
    yes: 'fn f() { panic!("no way") }',
    no: 'fn f() { panic_handler("no way") }',
  },
  'go raise': {
    yes: 'package a\nfunc f() { panic("no way") }',
    no: 'package a\nfunc f(t T) { t.Fatal("no way"); recoverPanic() }',
  },
  'c cpp check': {
    yes: 'void f(int a) { assert(a > 0); }',
    no: 'void f(int a) { assert_equal(a); check(a); }',
  },
  'c cpp raise': {
    yes: 'void f(int a) { abort(); }',
    no: 'void f(struct c *c) { c->abort(); }',
  },
  'csharp check': {
    yes: 'class A { void F(string a) { ArgumentNullException.ThrowIfNull(a); } }',
    no: 'class A { void F(string a) { Assert(a); ThrowIfNull(a); } }',
  },
  'swift check': {
    yes: 'func f(a: Int) { precondition(a > 0, "a is small") }',
    no: 'func f(a: Int) { a.precondition(1); XCTAssert(a) }',
  },
  'swift raise': {
    yes: 'func f() { fatalError("no way") }',
    no: 'func f() { log.fatalError("no way") }',
  },
  'php check': {
    yes: '<?php function f($a) { Assert::notNull($a); }',
    no: '<?php function f($a) { $this->assert($a); check($a); }',
  },
  'ruby raise': {
    yes: 'def f(a)\n  raise ArgumentError, "no way"\nend',
    no: 'def f(a)\n  hand.raise("no way")\nend',
  },
};

export const deprecationSamples: Readonly<Record<string, Sample>> = {
  'javascript typescript tsx comment': {
    yes: '/** Old. @deprecated use b */\nexport function old() {}',
    no: '/** Warns of `@deprecated`. */\nexport function a() {}\n// @deprecated\nfunction b() { this.deprecated = true }',
  },
  'java kotlin c cpp ruby php swift comment': {
    yes: 'class A {\n  /**\n   * Old.\n   * @deprecated use b\n   */\n  void old() {}\n}',
    no: 'class A {\n  /** See what {@code @deprecated} means. */\n  void a() { deprecated = true; }\n}',
  },
  'java kotlin annotation': {
    yes: 'class A {\n  @Deprecated\n  void old() {}\n}',
    no: 'class A {\n  @DeprecatedSince("1")\n  void a() {}\n}',
  },
  'go comment': {
    yes: 'package a\n\n// Old is old.\n//\n// Deprecated: use B\nfunc old() {}',
    no: 'package a\n\n// A says which are Deprecated: none.\nfunc a() {}',
  },
  'rust annotation': {
    yes: '#[deprecated(since = "1.0", note = "use b")]\npub fn old() {}',
    no: '#[allow(deprecated)]\npub fn a() {}',
  },
  'csharp annotation': {
    yes: 'class A {\n  [Obsolete("use b")]\n  void old() {}\n}',
    no: 'class A {\n  [NotObsolete]\n  void a() {}\n}',
  },
  'swift annotation': {
    yes: '@available(*, deprecated, message: "use b")\nfunc old() {}',
    no: '@available(iOS 13, *)\nfunc a() {}',
  },
  'c cpp annotation': {
    yes: '[[deprecated("use b")]] void old() {}',
    no: '[[nodiscard]] int a() { return 1; }',
  },
  'php annotation': {
    yes: '<?php\n#[\\Deprecated("use b")]\nfunction old() {}',
    no: '<?php\n#[NotDeprecated]\nfunction a() {}',
  },
  'python annotation': {
    yes: '@deprecated("use b")\ndef old():\n    pass',
    no: '@not_deprecated\ndef a(self, deprecated=None):\n    self.deprecated = deprecated',
  },
  'python comment': {
    yes: 'def old():\n    """Old.\n\n    .. deprecated:: 8.0\n    """',
    no: 'def a():\n    """Says whether x is deprecated."""',
  },
  'python call': {
    yes: 'def old():\n    warnings.warn("use b", DeprecationWarning, stacklevel=2)',
    no: 'def a():\n    warnings.warn("hot", UserWarning)',
  },
  'ruby call': {
    yes: 'class A\n  def old\n    warn "A.old is deprecated"\n  end\nend\n',
    no: 'class A\n  def new\n    warn "A.new is slow"\n    x = "deprecated"\n  end\nend\n',
  },
  'php call': {
    yes: "<?php\nfunction old() { trigger_error('use b', E_USER_DEPRECATED); }",
    no: "<?php\nfunction a() { trigger_error('hot', E_USER_WARNING); }",
  },
};

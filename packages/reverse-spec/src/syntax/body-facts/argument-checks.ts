/**
 * Calls that check or raise, by language. A name means nothing by itself: `require` is an import in CommonJS and a check in Kotlin.
 * `yes` is code in which the row applies, `no` code in which it does not; both are tests.
 */
export interface CheckRow {
  languages: readonly string[];
  kind: 'check' | 'raise';
  /** The whole callee as written, `!` of a macro included. */
  callee: RegExp;
  yes: string;
  no: string;
}

const SCRIPT = ['javascript', 'typescript', 'tsx'] as const;

export const CHECK_ROWS: readonly CheckRow[] = [
  {
    languages: SCRIPT,
    kind: 'check',
    callee: /^(?:assert|assert\.\w+|invariant|tiny?Invariant)$/,
    yes: 'function f(a) { assert(a > 0, "a is small") }',
    no: "function f(a) { const b = require('./b'); check(a); assertNotStarted(a) }",
  },
  {
    languages: ['java'],
    kind: 'check',
    callee: /^(?:Objects\.)?(?:requireNonNull|requireNonNullElse|checkIndex|checkFromToIndex)$/,
    yes: 'class A { void f(String a) { Objects.requireNonNull(a, "a == null"); } }',
    no: 'class A { void f(String a) { validator.require(a); check(a); } }',
  },
  {
    languages: ['java', 'kotlin'],
    kind: 'check',
    callee: /^(?:Preconditions\.)?check(?:NotNull|Argument|State|ElementIndex|PositionIndex)$/,
    yes: 'class A { void f(int a) { checkArgument(a > 0, "a is small"); } }',
    no: 'class A { void f(int a) { checkIn(a); checker.checkState(a); } }',
  },
  {
    languages: ['kotlin'],
    kind: 'check',
    callee: /^(?:require|requireNotNull|check|checkNotNull)$/,
    yes: 'fun f(a: Int) { require(a > 0) { "a is small" } }',
    no: 'fun f(a: Int) { door.check(a); required(a) }',
  },
  {
    languages: ['kotlin'],
    kind: 'raise',
    callee: /^(?:error|TODO)$/,
    yes: 'fun f(a: Int) { error("no way") }',
    no: 'fun f(a: Int) { log.error("no way") }',
  },
  {
    languages: ['rust'],
    kind: 'check',
    callee: /^(?:debug_)?assert(?:_eq|_ne)?!$|^ensure!$/,
    yes: 'fn f(a: usize) { assert!(a > 0, "a is small"); }',
    no: 'fn f(a: usize) { assert_send(a); matches!(a, 1); }',
  },
  {
    languages: ['rust'],
    kind: 'raise',
    callee: /^(?:panic|unreachable|todo|unimplemented|bail)!$/,
    yes: 'fn f() { panic!("no way") }',
    no: 'fn f() { panic_handler("no way") }',
  },
  {
    languages: ['go'],
    kind: 'raise',
    callee: /^(?:panic|log\.(?:Fatal|Panic)(?:f|ln)?)$/,
    yes: 'package a\nfunc f() { panic("no way") }',
    no: 'package a\nfunc f(t T) { t.Fatal("no way"); recoverPanic() }',
  },
  {
    languages: ['c', 'cpp'],
    kind: 'check',
    callee: /^assert$/,
    yes: 'void f(int a) { assert(a > 0); }',
    no: 'void f(int a) { assert_equal(a); check(a); }',
  },
  {
    languages: ['c', 'cpp'],
    kind: 'raise',
    callee: /^(?:abort|std::abort|std::terminate)$/,
    yes: 'void f(int a) { abort(); }',
    no: 'void f(struct c *c) { c->abort(); }',
  },
  {
    languages: ['csharp'],
    kind: 'check',
    callee:
      /^(?:ArgumentNullException|ArgumentException|ArgumentOutOfRangeException|ObjectDisposedException)\.ThrowIf\w+$|^Debug\.Assert$/,
    yes: 'class A { void F(string a) { ArgumentNullException.ThrowIfNull(a); } }',
    no: 'class A { void F(string a) { Assert(a); ThrowIfNull(a); } }',
  },
  {
    languages: ['swift'],
    kind: 'check',
    callee: /^(?:precondition|assert)$/,
    yes: 'func f(a: Int) { precondition(a > 0, "a is small") }',
    no: 'func f(a: Int) { a.precondition(1); XCTAssert(a) }',
  },
  {
    languages: ['swift'],
    kind: 'raise',
    callee: /^(?:fatalError|preconditionFailure|assertionFailure)$/,
    yes: 'func f() { fatalError("no way") }',
    no: 'func f() { log.fatalError("no way") }',
  },
  {
    languages: ['php'],
    kind: 'check',
    callee: /^assert$|^Assert::\w+$/,
    yes: '<?php function f($a) { Assert::notNull($a); }',
    no: '<?php function f($a) { $this->assert($a); check($a); }',
  },
  {
    languages: ['ruby'],
    kind: 'raise',
    callee: /^(?:raise|fail)$/,
    yes: 'def f(a)\n  raise ArgumentError, "no way"\nend',
    no: 'def f(a)\n  hand.raise("no way")\nend',
  },
];

export function checkRowOf(language: string, callee: string): CheckRow | undefined {
  return CHECK_ROWS.find((row) => row.languages.includes(language) && row.callee.test(callee));
}

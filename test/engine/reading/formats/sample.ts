import type { Format, Sample } from '../../../../packages/engine/src/reading/document.ts';

/** The lines of a short text that a format decides by. */
export function sampleOf(text: string): Sample {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.slice(0, 300));
}

/** Short runs of more test runners, beside the examples of the format, and texts that only look like one. */

const UNITTEST = `test_add (test_sum.SumTest.test_add) ... ok
test_overflow (test_sum.SumTest.test_overflow) ... ok
test_negative (test_sum.SumTest.test_negative) ... FAIL

======================================================================
FAIL: test_negative (test_sum.SumTest.test_negative)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/srv/app/test_sum.py", line 14, in test_negative
    self.assertEqual(add(-1, -1), -2)
AssertionError: 0 != -2

----------------------------------------------------------------------
Ran 3 tests in 0.002s

FAILED (failures=1)`;

const VITEST = ` RUN  v2.1.4 /srv/app

 ✓ test/price.test.ts (12 tests) 34ms
 ✓ test/cart.test.ts (7 tests) 12ms

 Test Files  2 passed (2)
      Tests  19 passed (19)
   Duration  412ms`;

const MOCHA = `  Cart
    ✔ starts empty
    ✔ adds an item
    - keeps the order

  2 passing (9ms)
  1 pending`;

const NODE_SPEC = `▶ cart
  ✔ starts empty (0.41ms)
  ✔ adds an item (0.12ms)
✔ cart (1.52ms)
ℹ tests 2
ℹ suites 1
ℹ pass 2
ℹ fail 0`;

const TAP = `TAP version 13
# Subtest: starts empty
ok 1 - starts empty
  ---
  duration_ms: 0.41
  ...
# Subtest: adds an item
not ok 2 - adds an item
  ---
  duration_ms: 0.92
  error: 'expected 1'
  ...
1..2
# tests 2
# pass 1
# fail 1`;

const CARGO_TEST = `running 3 tests
test cart::tests::starts_empty ... ok
test cart::tests::adds_item ... ok
test cart::tests::slow ... ignored

test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`;

const MAVEN_TEST = `[INFO] -------------------------------------------------------
[INFO]  T E S T S
[INFO] -------------------------------------------------------
[INFO] Running org.example.shop.CartTest
[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.041 s - in org.example.shop.CartTest
[INFO] Results:
[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 0`;

const GRADLE = `> Task :test

CartTest > startsEmpty() PASSED

CartTest > addsItem() PASSED

CartTest > countsItems() FAILED
    org.opentest4j.AssertionFailedError at CartTest.java:31

3 tests completed, 1 failed`;

const RSPEC = `Cart
  starts empty
  #add
    keeps the order
    counts items (FAILED - 1)

Failures:

  1) Cart#add counts items
     Failure/Error: expect(cart.count).to eq(2)

Finished in 0.004 seconds (files took 0.1 seconds to load)
3 examples, 1 failure`;

const PHPUNIT = `PHPUnit 10.5.2 by Sebastian Bergmann and contributors.

...............................................................  63 / 70 ( 90%)
.......                                                          70 / 70 (100%)

OK (70 tests, 141 assertions)`;

const DOTNET = `  Passed Shop.Tests.CartTests.StartsEmpty [4 ms]
  Passed Shop.Tests.CartTests.AddsItem [< 1 ms]
  Skipped Shop.Tests.CartTests.Slow [1 ms]

Test Run Successful.
Total tests: 3`;

const CTEST = `    Start 1: cart
1/2 Test #1: cart .............................   Passed    0.01 sec
    Start 2: price
2/2 Test #2: price ............................***Failed    0.02 sec

50% tests passed, 1 tests failed out of 2`;

const TEST_UNIT = `Loaded suite test
Started
CartTest: 
  test_adds_item:\t\t\t.: (0.000255)
  test_empty:\t\t\t\t.: (0.000131)
  test_price:\t\t\t\tF
===============================================================================
Failure: test_price(CartTest)
test/cart_test.rb:12:in 'test_price'
<4> expected but was
<3>
===============================================================================
: (0.004161)
PriceTest: 
  test_rounds:\t\t\t\t.: (8.8e-05)

Finished in 0.020614 seconds.
4 tests, 4 assertions, 1 failures, 0 errors, 0 pendings, 0 omissions, 0 notifications
75% passed`;

const TEST_SOURCE = `import pytest

def test_empty_cart():
    assert Cart().items == []

def test_add_item():
    assert Cart(["book"]).items == ["book"]`;

const TODO_LIST = `Before the release
- run the tests
- write the notes
- ask the team`;

const JEST = `PASS src/price.test.js
  price
    ✓ adds tax (3 ms)
    ✓ rounds half up
FAIL src/cart.test.js
  cart
    ✓ starts empty (1 ms)
    ✕ counts items (4 ms)

  ● cart › counts items

    expect(received).toBe(expected)

    Expected: 2
    Received: 1

Test Suites: 1 failed, 1 passed, 2 total
Tests:       1 failed, 3 passed, 4 total
Time:        0.83 s`;

const PYTEST_QUIET = `........................................................................ [ 60%]
................................................                         [100%]
120 passed in 1.94s`;

const GO = `=== RUN   TestCart
=== RUN   TestCart/empty
=== RUN   TestCart/one_item
--- PASS: TestCart (0.00s)
    --- PASS: TestCart/empty (0.00s)
    --- PASS: TestCart/one_item (0.00s)
=== RUN   TestPrice
    price_test.go:18: got 3, want 4
--- FAIL: TestPrice (0.00s)
FAIL
FAIL	example.org/shop/cart	0.004s`;

/** Short outputs of more builds and installers, and code that only looks like one. */

const NPM = `npm warn deprecated inflight@1.0.6: This module is not supported

added 214 packages, and audited 215 packages in 6s

3 moderate severity vulnerabilities`;

const CMAKE = `[ 10%] Building C object CMakeFiles/shop.dir/cart.c.o
[ 20%] Building C object CMakeFiles/shop.dir/price.c.o
[ 30%] Linking C executable shop
[100%] Built target shop`;

const GCC = `cart.c: In function 'add':
cart.c:14:9: warning: unused variable 'total' [-Wunused-variable]
   14 |     int total = 0;
      |         ^~~~~
make: *** [Makefile:7: cart.o] Error 1`;

const TSC = `src/cart.ts(14,9): error TS2304: Cannot find name 'total'.
src/cart.ts(20,3): error TS2322: Type 'string' is not assignable to type 'number'.
Found 2 errors.`;

const APT = `Get:1 http://deb.example.org/debian stable/main amd64 libfoo1 amd64 1.2-1 [32 kB]
Selecting previously unselected package libfoo1:amd64.
Preparing to unpack .../libfoo1_1.2-1_amd64.deb ...
Unpacking libfoo1:amd64 (1.2-1) ...
Setting up libfoo1:amd64 (1.2-1) ...`;

const DOCKER = `8a49fdb3b6a5: Pulling fs layer
5b1fa5ccf3ed: Pulling fs layer
8a49fdb3b6a5: Download complete
8a49fdb3b6a5: Pull complete
5b1fa5ccf3ed: Pull complete
Digest: sha256:0f1c
Status: Downloaded newer image for shop:latest`;

const MAVEN = `[INFO] Scanning for projects...
[INFO] Downloading from central: https://repo.example.org/org/foo/foo-1.0.pom
[INFO] Downloaded from central: https://repo.example.org/org/foo/foo-1.0.pom (2.1 kB)
[INFO] BUILD SUCCESS`;

const BUILD_SOURCE = `def build(target):
    """Building blocks of the shop."""
    return Compiler(target).run()`;

const CARGO = `   Compiling libc v0.2.155
   Compiling cfg-if v1.0.0
   Compiling shop v0.1.0 (/srv/shop)
error[E0425]: cannot find value \`total\` in this scope
  --> src/cart.rs:14:9
error: could not compile \`shop\` (bin "shop") due to 1 previous error`;

/** Texts that a format recognises, and texts that it does not: the examples in its file and those above. */
export function examplesOf({ name, examples }: Pick<Format, 'name' | 'examples'>): Format['examples'] {
  const { is, isNot } = MORE_EXAMPLES[name] ?? { is: [], isNot: [] };
  return { is: [...examples.is, ...is], isNot: [...examples.isNot, ...isNot] };
}

const MORE_EXAMPLES: Readonly<Record<string, Format['examples']>> = {
  config: {
    is: [
      'Package: apt\nStatus: installed\nVersion: 2.6\n\nPackage: bash\nStatus: installed\nVersion: 5.2',
      'FROM node:24 AS build\nWORKDIR /app\nCOPY . .\nRUN npm ci && \\\n    npm run build\nFROM nginx\nCOPY --from=build /app/dist /srv',
      'http {\n    gzip on;\n    server {\n        listen 80;\n    }\n}',
    ],
    isNot: ['const limits = {\n  items: 10,\n  price: 20,\n};'],
  },
  listing: {
    is: [
      '4f2a91c0 add the cart\n81bd02aa fix totals\n90ac1e44 release 1.2.0\n1177e0aa begin',
      '12K\tsrc\n4.0K\ttest\n1.2M\tdist\n1.3M\t.',
      'v1.0.0\nv1.1.0\nv1.2.0\nv2.0.0-rc.1',
      '* main\n  release-1.0\n  release-1.1\n  remotes/origin/HEAD -> origin/main',
    ],
    isNot: [
      'const a = 1;\nconst b = 2;\nfunction add() {\n  return a + b;\n}',
      '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}',
    ],
  },
  markup: {
    is: [
      '- banner [ref=e1]:\n  - link "Home" [ref=e2]\n  - button "Cart" [ref=e3]\n- main [ref=e4]:\n  - heading "Shoes" [level=1] [ref=e5]',
      '### Page\n- Page URL: http://shop.example/\n```yaml\n- main [ref=e1]:\n  - link "Home" [ref=e2]:\n    - /url: /\n  - link "Cart" [ref=e3]:\n    - /url: /cart\n  - button "Buy" [ref=e4]\n  - text: 3 items\n```',
      'uid=1_0 RootWebArea "Shop"\n  uid=1_1 banner\n    uid=1_2 link "Home"\n  uid=1_3 main\n    uid=1_4 button "Buy"',
    ],
    isNot: [
      'services:\n  - name: web\n  - name: db\n  - name: cache\n  - name: queue',
      'if (a < b) {\n  run();\n}',
    ],
  },
  search: {
    is: ['lib/a.rb-3-class A\nlib/a.rb:4:  def run\nlib/a.rb-5-  end\n--\nlib/b.rb:9:  run\nlib/b.rb-10-end'],
    isNot: [
      'src/a.ts\nsrc/b.ts\nsrc/c.ts',
      'Error: broken\n    at run (/app/a.js:3:4)\n    at main (/app/b.js:9:1)',
    ],
  },
  table: {
    is: [
      '┌────┬──────┐\n│ id │ name │\n├────┼──────┤\n│ 1  │ Ada  │\n│ 2  │ Bo   │\n└────┴──────┘',
      'NAME      READY   STATUS    AGE\nweb-0     1/1     Running   5d\nweb-1     1/1     Running   5d\ndb-0      1/1     Running   9d\njob-1     0/1     Error     3h',
      'Package  Version\n-------- -------\nflask    3.1.0\njinja2   3.1.4\nrich     13.9.4',
    ],
    isNot: [
      'if (a) {\n  run(a, b);\n  stop(c, d);\n  go(e, f);\n}',
      'INFO  started in 3 ms\nINFO  ready on 8080\nWARN  slow disk\nINFO  stopping\nINFO  stopped',
    ],
  },
  json: {
    is: ['{"level":"info","msg":"started"}\n{"level":"warn","msg":"slow"}\n{"level":"info","msg":"ready"}'],
    isNot: ['[INFO] started\n[INFO] ready\n[INFO] done', 'name: shop\nversion: 1\nitems: 3'],
  },

  'test-run': {
    is: [
      JEST,
      PYTEST_QUIET,
      GO,
      UNITTEST,
      VITEST,
      MOCHA,
      NODE_SPEC,
      TAP,
      CARGO_TEST,
      MAVEN_TEST,
      GRADLE,
      RSPEC,
      PHPUNIT,
      DOTNET,
      CTEST,
      TEST_UNIT,
    ],
    isNot: [TEST_SOURCE, TODO_LIST],
  },
  build: { is: [CARGO, NPM, CMAKE, GCC, TSC, APT, DOCKER, MAVEN], isNot: [BUILD_SOURCE] },
};

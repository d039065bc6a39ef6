import { expect, it } from 'vitest';
import { markLibraryFrames } from '../../../../packages/engine/src/reading/formats/stack-trace.ts';
import { type Marks, unitsOfMarks } from '../../../../packages/engine/src/reading/marks.ts';

const frames = (text: string) => {
  const lines = text.split('\n');
  const marks: Marks = new Array(lines.length);
  markLibraryFrames(lines, marks);
  const units = unitsOfMarks(marks, { from: 0, to: lines.length - 1 });
  return units.map(({ start, end, count, name }) => ({ start, end, count, name }));
};

const NODE = `TypeError: cart is undefined
    at total (/srv/shop/src/cart.js:14:9)
    at Layer.handle (/srv/shop/node_modules/express/lib/router/layer.js:95:5)
    at next (/srv/shop/node_modules/express/lib/router/route.js:144:13)
    at process.processTicks (node:internal/process/task_queues:95:5)
    at main (/srv/shop/src/main.js:3:1)`;

const PYTHON = `Traceback (most recent call last):
  File "/usr/lib/python3.12/runpy.py", line 198, in _run_module_as_main
    return _run_code(code, main_globals, None)
  File "/srv/venv/lib/python3.12/site-packages/flask/app.py", line 1498, in __call__
    return self.wsgi_app(environ, start_response)
  File "/srv/venv/lib/python3.12/site-packages/flask/app.py", line 1476, in wsgi_app
    response = self.handle_exception(e)
  File "/srv/shop/cart.py", line 14, in total
    return sum(items)
TypeError: 'NoneType' object is not iterable`;

const JAVA = `java.lang.IllegalStateException: no cart
	at org.example.shop.Cart.total(Cart.java:14)
	at java.base/java.lang.reflect.Method.invoke(Method.java:568)
	at org.junit.platform.commons.util.ReflectionUtils.invokeMethod(ReflectionUtils.java:728)
	at org.junit.jupiter.engine.execution.MethodInvocation.proceed(MethodInvocation.java:60)
	at org.example.shop.Main.main(Main.java:3)`;

const RUST = `thread 'cart::total' panicked at src/cart.rs:14:9:
stack backtrace:
   0: rust_begin_unwind
             at /rustc/9fc6b431/library/std/src/panicking.rs:665:5
   1: core::panicking::panic_fmt
             at /rustc/9fc6b431/library/core/src/panicking.rs:74:14
   2: core::option::unwrap_failed
             at /rustc/9fc6b431/library/core/src/option.rs:1975:5
   3: shop::cart::total
             at ./src/cart.rs:14:9`;

const GO = `goroutine 7 [running]:
testing.tRunner.func1()
	/usr/local/go/src/testing/testing.go:1634 +0x377
panic({0x5b2d20, 0x6a1f30})
	/usr/local/go/src/runtime/panic.go:770 +0x132
runtime.goexit({})
	/usr/local/go/src/runtime/asm_amd64.s:1695 +0x1
example.org/shop/cart.Total(...)
	/srv/shop/cart/cart.go:14`;

it.each([
  { language: 'JavaScript', text: NODE, expected: { start: 3, end: 5, count: 3 } },
  { language: 'Python', text: PYTHON, expected: { start: 2, end: 7, count: 3 } },
  { language: 'Java', text: JAVA, expected: { start: 3, end: 5, count: 3 } },
  { language: 'Rust', text: RUST, expected: { start: 3, end: 8, count: 3 } },
  { language: 'Go', text: GO, expected: { start: 2, end: 7, count: 3 } },
])(
  '[P53] markLibraryFrames finds the library frames of a $language stack trace and skips frames of the project',
  ({ text, expected }) => {
    expect(frames(text)).toEqual([{ ...expected, name: '' }]);
  },
);

it('markLibraryFrames keeps the frames nearest to the failure if all frames belong to libraries', () => {
  const trace = [
    'Error: boom',
    ...Array.from({ length: 9 }, (_, n) => `    at f${n} (/srv/node_modules/lib/x.js:${n}:1)`),
  ];
  expect(frames(trace.join('\n'))).toEqual([{ start: 6, end: 10, count: 5, name: '' }]);
});

it('markLibraryFrames removes frames that an identical earlier trace shows, except the frame nearest to the failure', () => {
  const own = NODE.replaceAll('node_modules/express', 'src').replace(
    'node:internal/process',
    '/srv/shop/src',
  );
  const second = frames(`${own}\n\n${own}`);
  expect(second).toEqual([{ start: 10, end: 13, count: 4, name: 'shown above' }]);
});

it('markLibraryFrames finds nothing in a text without stack traces', () => {
  expect(frames('File the report at noon.\nMeet at the station.\n1: first\n2: second')).toEqual([]);
});

it('[P53] markLibraryFrames removes library frames that pytest prints with source code, and keeps the test and the failure', () => {
  const separator = '_ _ _ _ _ _ _ _ _ _ ';
  const text = [
    '____ test_total ____',
    '',
    '    def test_total():',
    '>       assert get("/cart").json() == 3',
    '',
    'tests/test_cart.py:9: ',
    separator,
    '    def get(url):',
    '>       return send(url)',
    '',
    '/srv/venv/lib/python3.12/site-packages/http/api.py:73: ',
    separator,
    '    def send(url):',
    '>       raise ConnectionError(url)',
    'E       ConnectionError: /cart',
    '',
    '/srv/venv/lib/python3.12/site-packages/http/adapter.py:519: ConnectionError',
    '=== 1 failed in 0.1s ===',
  ].join('\n');
  expect(frames(text)).toEqual([{ start: 7, end: 11, count: 1, name: '' }]);
});

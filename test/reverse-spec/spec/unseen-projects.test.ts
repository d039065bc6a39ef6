import { expect, it } from 'vitest';
import { documentOf } from '../../support/spec-document.ts';

it('[R73] a notice or advice in a README is not the purpose: the manifest says it', async () => {
  const files = (words: string) => ({
    'README.md': `# jot\n\n${words}\n`,
    'Jot.podspec': "Pod::Spec.new do |s|\n  s.summary = 'A decoder for tokens'\nend\n",
    'Sources/a.swift': 'public func a() {}\n',
  });
  const intent = async (words: string) => (await documentOf(files(words), '.'))('Intent');
  expect(await intent("**It doesn't validate anything.**")).toContain('A decoder for tokens (`Jot.podspec`)');
  expect(await intent('Simply include it and you are good to go.')).toContain('A decoder for tokens');
  expect(await intent('Adds tokens to a jar.')).toContain('Adds tokens to a jar. (`README.md`)');
  expect(await intent('**Jot** reads *tokens*.')).toContain('(`README.md`)');
});

it('[R65] Swift: what is not public is not listed, unless nothing is', async () => {
  const source = [
    'public struct Box {',
    '  let inner: Int',
    '  public var outer: Int',
    '  public init() {}',
    '}',
    'struct Hidden {}',
    'public protocol Shape {',
    '  var sides: Int { get }',
    '}',
    'public extension Shape {',
    '  func draw() {}',
    '  internal func hide() {}',
    '}',
    'extension Hidden {',
    '  func none() {}',
    '}',
    'extension Box: Equatable {}',
    '',
  ].join('\n');
  const shown = (await documentOf({ 'Sources/a.swift': source }, 'Sources'))('Interface');
  for (const name of ['var outer', '`Shape`', 'var sides', 'func draw', 'Equatable'])
    expect(shown).toContain(name);
  for (const name of ['let inner', 'struct Hidden', 'func hide', 'func none'])
    expect(shown).not.toContain(name);
  const program = { 'Sources/a.swift': 'struct App {\n  func run() {}\n}\n' };
  expect((await documentOf(program, 'Sources'))('Interface')).toContain('func run');
});

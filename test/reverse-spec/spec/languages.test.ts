import { expect, it } from 'vitest';
import { detectDrift } from '../../../packages/reverse-spec/src/spec/drift.ts';
import { generate } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project, write } from '../../support/spec-project.ts';

interface Sample {
  file: string;
  language: string;
  /** Offers `keep` and `gone` (in the spelling of the language). */
  before: string;
  /** `before` with other layout and comments. */
  reformatted: string;
  /** `keep` takes something else, `gone` is gone. */
  after: string;
}

const samples: Sample[] = [
  {
    file: 'a.ts',
    language: 'typescript',
    before: 'export function keep(a: string, b = 1): void {}\nexport function gone(): void {}\n',
    reformatted:
      '// said\nexport function keep(\n  a: string,\n  b = 1,\n): void {\n}\nexport function gone(): void {}\n',
    after: 'export function keep(a: number, b = 1): void {}\n',
  },
  {
    file: 'a.tsx',
    language: 'tsx',
    before:
      'export function Keep({ a }: { a: string }) { return <b>{a}</b>; }\nexport const Gone = () => <i />;\n',
    reformatted:
      'export function Keep({ a }: {\n  a: string;\n}) {\n  return <b>{a}</b>;\n}\nexport const Gone = () => <i />;\n',
    after: 'export function Keep({ a }: { a: number }) { return <b>{a}</b>; }\n',
  },
  {
    file: 'a.js',
    language: 'javascript',
    before: 'export function keep(a, b = 1) {}\nexport class gone {}\n',
    reformatted: 'export function keep(\n  a, // first\n  b = 1\n) {}\nexport class gone {}\n',
    after: 'export function keep(a, b = 2) {}\n',
  },
  {
    file: 'a.py',
    language: 'python',
    before: 'def keep(a: str, b: int = 1) -> None:\n    pass\n\ndef gone():\n    pass\n',
    reformatted:
      'def keep(\n    a: str,  # first\n    b: int = 1,\n) -> None:\n    return\n\n\ndef gone():\n    pass\n',
    after: 'def keep(a: str, b: float = 1) -> None:\n    pass\n',
  },
  {
    file: 'a.go',
    language: 'go',
    before: 'package a\n\nfunc Keep(a string, b int) error { return nil }\n\nfunc Gone() {}\n',
    reformatted:
      'package a\n\n// Keep keeps.\nfunc Keep(\n\ta string, // first\n\tb int,\n) error {\n\treturn nil\n}\n\nfunc Gone() {}\n',
    after: 'package a\n\nfunc Keep(a string, b int64) error { return nil }\n',
  },
  {
    file: 'A.java',
    language: 'java',
    before: 'public class A {\n  public void keep(String a) {}\n  public void gone() {}\n}\n',
    reformatted:
      'public class A {\n\n  /** Keeps. */\n  public void keep(\n      String a) {\n  }\n  public void gone() {}\n}\n',
    after: 'public class A {\n  public void keep(int a) {}\n}\n',
  },
  {
    file: 'a.rs',
    language: 'rust',
    before: "pub fn keep<'a>(a: &'a str, b: u8) -> &'a str { a }\npub struct Gone { pub x: u8 }\n",
    reformatted:
      "/// Keeps.\npub fn keep<'a>(\n    a: &'a str,\n    b: u8,\n) -> &'a str {\n    a\n}\npub struct Gone { pub x: u8 }\n",
    after: "pub fn keep<'a>(a: &'a str, b: u16) -> &'a str { a }\n",
  },
  {
    file: 'a.c',
    language: 'c',
    before: 'int keep(const char *a, int b) { return b; }\nint gone(void) { return 1; }\n',
    reformatted:
      '/* keeps */\nint keep(const char *a,\n         int b)\n{\n  return b;\n}\nint gone(void) { return 1; }\n',
    after: 'int keep(const char *a, long b) { return b; }\n',
  },
  {
    file: 'a.hpp',
    language: 'cpp',
    before: 'template <typename T>\nT keep(T a, int b = 1) { return a; }\nclass Gone { public: int x; };\n',
    reformatted:
      'template <typename T>\nT keep(\n  T a,\n  int b = 1) // keeps\n{ return a; }\nclass Gone { public: int x; };\n',
    after: 'template <typename T>\nT keep(T a, int b = 2) { return a; }\n',
  },
  {
    file: 'A.cs',
    language: 'csharp',
    before: 'public class A {\n  public void Keep(string a) {}\n  public void Gone() {}\n}\n',
    reformatted:
      'public class A\n{\n  // keeps\n  public void Keep(\n    string a)\n  {\n  }\n  public void Gone() {}\n}\n',
    after: 'public class A {\n  public void Keep(int a) {}\n}\n',
  },
  {
    file: 'a.rb',
    language: 'ruby',
    before: 'class A\n  def keep(a, b = 1)\n    a\n  end\n\n  def gone\n  end\nend\n',
    reformatted:
      'class A\n  # Keeps.\n  def keep(a,\n           b = 1)\n    return a\n  end\n\n  def gone\n  end\nend\n',
    after: 'class A\n  def keep(a, b = 2)\n    a\n  end\nend\n',
  },
  {
    file: 'a.php',
    language: 'php',
    before: '<?php\nfunction keep(string $a, int $b = 1): void {}\nfunction gone(): void {}\n',
    reformatted:
      '<?php\n// keeps\nfunction keep(\n    string $a,\n    int $b = 1,\n): void {\n}\nfunction gone(): void {}\n',
    after: '<?php\nfunction keep(string $a, float $b = 1): void {}\n',
  },
  {
    file: 'a.kt',
    language: 'kotlin',
    before: 'fun keep(a: String, b: Int = 1): Unit {}\nclass Gone(val x: Int)\n',
    reformatted:
      '/** Keeps. */\nfun keep(\n    a: String,\n    b: Int = 1,\n): Unit {\n}\nclass Gone(val x: Int)\n',
    after: 'fun keep(a: String, b: Long = 1): Unit {}\n',
  },
  {
    file: 'a.swift',
    language: 'swift',
    before:
      'public func keep(_ a: String, b: Int = 1) -> Bool { return true }\npublic struct Gone { public let x: Int }\n',
    reformatted:
      '/// Keeps.\npublic func keep(\n    _ a: String,\n    b: Int = 1\n) -> Bool {\n    return true\n}\npublic struct Gone { public let x: Int }\n',
    after: 'public func keep(_ a: String, b: Double = 1) -> Bool { return true }\n',
  },
];

it.each(samples)(
  '[R11] [R41] the parser reads $language, and diff classifies changes by the rules of the language',
  async ({ file, language, before, reformatted, after }) => {
    const cwd = project({ [`src/${file}`]: before });
    const { skeletons } = await prepare({ targetPath: 'src', deep: false }, parts(cwd));
    expect(skeletons[0]).toMatchObject({
      language,
      parserUsed: expect.stringMatching(/^(typescript|tree-sitter)$/),
    });
    expect(skeletons[0]).not.toHaveProperty('parseErrors');
    const { specPath } = await generate(
      { targetPath: 'src', deep: false, outputDir: 'specs', astOnly: true },
      parts(cwd),
    );
    const drift = async (text: string) => {
      write(cwd, { [`src/${file}`]: text });
      const { items, filteredNoise } = await detectDrift({ specPath, sourcePath: 'src' }, parts(cwd));
      return {
        items: items
          .map(
            ({ severity, changeType, symbolName }) =>
              `${severity} ${changeType} ${symbolName.toLowerCase().replace('a.', '')}`,
          )
          .sort(),
        filteredNoise,
      };
    };
    const noise = await drift(reformatted);
    expect(noise.items).toEqual([]);
    expect(noise.filteredNoise).toBeGreaterThan(0);
    const { items } = await drift(after);
    const isMember = ['java', 'csharp', 'ruby'].includes(language);
    expect(items).toEqual(
      isMember
        ? ['MEDIUM modification keep', 'MEDIUM removal gone']
        : ['HIGH removal gone', 'MEDIUM modification keep'],
    );
  },
);

import type ts from 'ts6';
import type { Body, BodyFinder, FindOptions } from './bodies/body-finder.ts';
import type { TypeScript } from './compiler.ts';

/** A text whose function bodies are blank, offset for offset. */
export interface Hollow {
  text: string;
  bodies: readonly Body[];
}

/** Below this a parser is done before it pays. */
const WORTH_CHARACTERS = 600;

/**
 * Two thirds of a source file are the insides of functions, which no outline speaks of, and a parser spends its time
 * there. Nothing when the text is short or cannot be understood without a parser.
 */
export function hollowOut(text: string, finder: BodyFinder, options: FindOptions): Hollow | undefined {
  if (text.length < WORTH_CHARACTERS) return undefined;
  const bodies = finder.find(text, options);
  if (bodies === undefined || bodies.length === 0) return undefined;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of bodies) {
    pieces.push(text.slice(from, start + 1), '//', 'x'.repeat(end - start - 4), '\n');
    from = end;
  }
  pieces.push(text.slice(from));
  return { text: pieces.join(''), bodies };
}

/**
 * Whether the parser took every blank brace pair for the body of a function. What a brace opens is decided by what
 * stands before it, so it is one in the whole text too.
 */
export function areBodies(ts: TypeScript, file: ts.SourceFile, bodies: readonly Body[]): boolean {
  let next = 0;
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, (child) => {
      const wanted = bodies[next];
      if (wanted === undefined || child.end <= wanted.start) return;
      if (opensAt(ts, child) === wanted.start && ts.isFunctionLike(node)) next += 1;
      else visit(child);
    });
  };
  visit(file);
  return next === bodies.length;
}

function opensAt(ts: TypeScript, node: ts.Node): number {
  return node.kind === ts.SyntaxKind.Block ? (node as ts.Block).statements.pos - 1 : -1;
}

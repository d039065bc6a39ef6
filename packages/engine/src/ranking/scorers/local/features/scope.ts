import { KIND_BITS, type LineKinds } from './line-kinds.ts';
import { isBlank, type LineShapes } from './shape.ts';

/** Lines that enclose other lines, as indices. -1 means none. */
export interface Scopes {
  /** Line that encloses each line: the previous one with less indentation, or the heading above. */
  parents: Int32Array;
  /** Nearest signature that encloses each line. A signature encloses itself. -1 outside of signatures. */
  signatures: Int32Array;
  depths: Int32Array;
  /** Group of each line by its nearest signature, else by its outermost ancestor, else by its paragraph. */
  blocks: Groups;
  paragraphs: Groups;
  /** Group of each line by its outermost ancestor. Lines that nothing encloses form ranges of 40. */
  sections: Groups;
}

/** Number of each line's group, and the number of groups. */
export interface Groups {
  groups: Int32Array;
  total: number;
}

const MAX_PARAGRAPH = 30;
const MAX_LOOSE_SECTION = 40;
const HEADING_LEVELS = 7;
const MAX_DEPTH = 512;

export function readScopes(shapes: LineShapes, kinds: LineKinds, headings: Int32Array): Scopes {
  const { parents, depths } = readParents(shapes, kinds, headings);
  const signatures = nearestSignatures(parents, kinds);
  const paragraphs = readParagraphs(shapes);
  const roots = outermost(parents);
  const sections = readSections(roots, shapes);
  const blocks = readBlocks({ signatures, roots, parents, paragraphs: paragraphs.groups });
  return { parents, depths, signatures, blocks, paragraphs, sections };
}

/** Returns the column of a line. Headings are left of all text, the highest level furthest. `headings` is 0 for other lines. */
function column(shapes: LineShapes, headings: Int32Array, line: number): number {
  const level = headings[line] as number;
  return level > 0 ? level - HEADING_LEVELS : (shapes.indents[line] as number);
}

/** Lines that enclose the current line, outermost first. */
class OpenLines {
  depth = 0;
  readonly #lines = new Int32Array(MAX_DEPTH);
  readonly #columns = new Int32Array(MAX_DEPTH);

  get innermost(): number {
    return this.depth > 0 ? (this.#lines[this.depth - 1] as number) : -1;
  }

  /** Whether the innermost enclosing line is at `column`. */
  standsAt(column: number): boolean {
    return this.depth > 0 && this.#columns[this.depth - 1] === column;
  }

  closeBeyond(column: number): void {
    while (this.depth > 0 && (this.#columns[this.depth - 1] as number) > column) this.depth -= 1;
  }

  close(): void {
    this.depth -= 1;
  }

  open(line: number, column: number): void {
    if (this.depth === MAX_DEPTH) this.depth -= 1;
    this.#lines[this.depth] = line;
    this.#columns[this.depth] = column;
    this.depth += 1;
  }
}

function readParents(shapes: LineShapes, kinds: LineKinds, headings: Int32Array) {
  const total = shapes.ends.length;
  const parents = new Int32Array(total);
  const depths = new Int32Array(total);
  const open = new OpenLines();
  for (let line = 0; line < total; line += 1) {
    const blank = isBlank(shapes, line);
    const at = column(shapes, headings, line);
    if (!blank) open.closeBeyond(at);
    // A closing bracket belongs to the line that opened it. Any other line at this column ends the scope of
    // that line.
    const closes = ((kinds.bits[line] as number) & KIND_BITS.closer) !== 0 && open.standsAt(at);
    if (!blank && !closes && open.standsAt(at)) open.close();
    parents[line] = open.innermost;
    depths[line] = open.depth;
    if (!blank && !closes) open.open(line, at);
  }
  return { parents, depths };
}

function nearestSignatures(parents: Int32Array, kinds: LineKinds): Int32Array {
  const signatures = new Int32Array(parents.length);
  for (let line = 0; line < parents.length; line += 1) {
    const parent = parents[line] as number;
    const inherited = parent < 0 ? -1 : (signatures[parent] as number);
    signatures[line] = ((kinds.bits[line] as number) & KIND_BITS.signature) !== 0 ? line : inherited;
  }
  return signatures;
}

function outermost(parents: Int32Array): Int32Array {
  const roots = new Int32Array(parents.length);
  for (let line = 0; line < parents.length; line += 1) {
    const parent = parents[line] as number;
    roots[line] = parent < 0 ? line : (roots[parent] as number);
  }
  return roots;
}

/** Finds paragraphs: at most 30 lines without a blank line. Blank lines belong to the paragraph before them. */
function readParagraphs(shapes: LineShapes): Groups {
  const groups = new Int32Array(shapes.ends.length);
  let total = 0;
  let length = 0;
  let afterBlank = true;
  for (let line = 0; line < groups.length; line += 1) {
    const blank = isBlank(shapes, line);
    if ((!blank && afterBlank) || length >= MAX_PARAGRAPH || total === 0) {
      total += 1;
      length = 0;
    }
    groups[line] = total - 1;
    length += 1;
    afterBlank = blank;
  }
  return { groups, total };
}

/** Makes a section of each outermost line and its descendants. Adjacent ones without descendants share a section. */
function readSections(roots: Int32Array, shapes: LineShapes): Groups {
  const groups = new Int32Array(roots.length);
  let total = 0;
  let length = MAX_LOOSE_SECTION;
  let loose = false;
  for (let line = 0; line < roots.length; line += 1) {
    const inside = roots[line] !== line || isBlank(shapes, line);
    const next = line + 1 < roots.length && roots[line + 1] === line;
    if (!inside && (next || !loose || length >= MAX_LOOSE_SECTION || total === 0)) {
      total += 1;
      length = 0;
      loose = !next;
    }
    if (total === 0) total = 1;
    groups[line] = total - 1;
    length += 1;
  }
  return { groups, total };
}

type BlockInputs = Record<'signatures' | 'roots' | 'parents' | 'paragraphs', Int32Array>;

function readBlocks({ signatures, roots, parents, paragraphs }: BlockInputs): Groups {
  const total = roots.length;
  const groups = new Int32Array(total);
  const byHead = new Int32Array(total).fill(-1);
  const byParagraph = new Int32Array(total).fill(-1);
  let known = 0;
  for (let line = 0; line < total; line += 1) {
    const signature = signatures[line] as number;
    const head = signature >= 0 ? signature : (roots[line] as number);
    const loose = signature < 0 && (parents[line] as number) < 0;
    const numbers = loose ? byParagraph : byHead;
    const key = loose ? (paragraphs[line] as number) : head;
    if (numbers[key] === -1) numbers[key] = known++;
    groups[line] = numbers[key] as number;
  }
  return { groups, total: known };
}

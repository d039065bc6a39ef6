import type { Block, CutText } from './api.ts';
import { copyText } from './copy.ts';
import { element } from './dom.ts';
import { plural } from './format.ts';
import { LONGEST_PIECE, visible } from './visible.ts';

/** Lines of one kind in one piece: laid out when they come near the screen. */
const CHUNK_LINES = 200;
const LINE_PX = 19;

/**
 * The original beside what the agent saw. One stop of the Tab key; arrows go from line to line, and the bar below says
 * why the line under the pointer or the focus stayed or went.
 */
export class Sides {
  readonly element: HTMLElement;
  readonly #text: CutText;
  readonly #why = element('p', {
    class: 'why',
    id: 'why',
    role: 'status',
    text: 'Point at a line, or go there with the arrow keys, to see why it was kept or removed.',
  });
  readonly #body = element('div', { role: 'rowgroup' });
  readonly #observer = new IntersectionObserver((seen) => this.#fillSeen(seen), { rootMargin: '800px' });
  readonly #fills = new Map<Element, () => void>();

  constructor(text: CutText) {
    this.#text = text;
    const titles = ['', 'Original', '', 'What the agent saw'].map((title) =>
      element('div', { role: 'columnheader', text: title }),
    );
    const header = element(
      'div',
      { role: 'rowgroup', class: 'titles-group' },
      element('div', { class: 'row titles', role: 'row' }, ...titles),
    );
    this.#addPieces();
    const table = element(
      'div',
      { role: 'table', 'aria-label': 'Original and what the agent saw' },
      header,
      this.#body,
    );
    this.element = element('section', { class: 'panel sides', 'aria-label': 'Text' }, table, this.#why);
    this.element.addEventListener('keydown', (event) => this.#move(event));
    this.element.addEventListener('focusin', ({ target }) => this.#tell(target));
    this.element.addEventListener('pointermove', (event) => this.#point(event));
    const first = this.#body.querySelector('[tabindex]') ?? this.#filledFirst();
    first?.setAttribute('tabindex', '0');
  }

  #addPieces(): void {
    let next = 1;
    for (const block of this.#text.blocks) {
      this.#addLines({ start: next, end: block.start - 1 }, undefined);
      this.#addBlock(block);
      next = block.end + 1;
    }
    this.#addLines({ start: next, end: this.#text.lines.length }, undefined);
  }

  #addLines(
    { start, end }: { start: number; end: number },
    block: Block | undefined,
    into: Element = this.#body,
  ): void {
    for (let from = start; from <= end; from += CHUNK_LINES) {
      const to = Math.min(end, from + CHUNK_LINES - 1);
      const chunk = element('div', { role: 'presentation', class: 'chunk' });
      chunk.style.minHeight = `${(to - from + 1) * LINE_PX}px`;
      this.#fills.set(chunk, () => this.#fill(chunk, { start: from, end: to, block }));
      this.#observer.observe(chunk);
      into.append(chunk);
    }
  }

  #fillSeen(seen: readonly IntersectionObserverEntry[]): void {
    for (const { isIntersecting, target } of seen) if (isIntersecting) this.#fills.get(target)?.();
  }

  #fill(
    chunk: HTMLElement,
    { start, end, block }: { start: number; end: number; block: Block | undefined },
  ): void {
    this.#fills.delete(chunk);
    this.#observer.unobserve(chunk);
    chunk.style.minHeight = '';
    for (let line = start; line <= end; line += 1) chunk.append(this.#lineRow(line, block));
  }

  #filledFirst(): Element | null {
    for (const fill of [...this.#fills.values()].slice(0, 1)) fill();
    return this.#body.querySelector('[tabindex]');
  }

  #lineRow(line: number, block: Block | undefined): HTMLElement {
    const text = this.#text.lines[line - 1] ?? '';
    const number = () => element('div', { class: 'no', role: 'cell', text: String(line) });
    const isGone = block !== undefined;
    return element(
      'div',
      { class: isGone ? 'row gone' : 'row kept', role: 'row', tabindex: '-1', 'data-line': String(line) },
      number(),
      codeCell(text),
      isGone ? element('div', { class: 'no', role: 'cell' }) : number(),
      isGone ? element('div', { class: 'code', role: 'cell' }) : codeCell(text),
    );
  }

  #addBlock(block: Block): void {
    const { start, end } = block;
    const many = end - start + 1;
    const inner = element('div', { role: 'presentation' });
    inner.hidden = true;
    const label = () => `${inner.hidden ? '▸' : '▾'} ${plural(many, 'line')} removed${saidOf(block, ': ')}`;
    const toggle = element('button', {
      class: 'toggle',
      type: 'button',
      'aria-expanded': 'false',
      text: label(),
    });
    toggle.addEventListener('click', () => {
      if (inner.childElementCount === 0) this.#addLines(block, block, inner);
      inner.hidden = !inner.hidden;
      toggle.setAttribute('aria-expanded', String(!inner.hidden));
      toggle.textContent = label();
    });
    const fold = element('div', { class: 'fold', role: 'cell' }, toggle, this.#copyButton(block));
    const marker = element('div', { class: 'marker', role: 'cell', text: visible(block.marker) });
    const head = element(
      'div',
      { class: 'row block', role: 'row', 'data-block': `${start}-${end}` },
      fold,
      marker,
    );
    this.#body.append(head, inner);
  }

  #copyButton({ start, end }: Block): HTMLElement {
    const button = element('button', {
      class: 'button',
      type: 'button',
      text: 'Recover',
      'aria-label': `Recover: copy lines ${start} to ${end}`,
    });
    button.addEventListener('click', async () => {
      const copied = await copyText(this.#text.lines.slice(start - 1, end).join('\n'));
      this.#why.textContent = copied
        ? `${plural(end - start + 1, 'line')} copied (${start}–${end}).`
        : 'The browser refused to copy.';
    });
    return button;
  }

  /** Lines that scroll past below a pointer at rest say nothing. */
  #point({ target, movementX, movementY }: PointerEvent): void {
    if (movementX !== 0 || movementY !== 0) this.#tell(target);
  }

  #tell(target: EventTarget | null): void {
    if (!(target instanceof Element)) return;
    const row = target.closest('[data-line], [data-block]');
    if (row instanceof HTMLElement) this.#why.textContent = this.#reason(row.dataset);
  }

  #reason({ line, block: named }: DOMStringMap): string {
    const { blocks, scores, kept } = this.#text;
    const number = Number(line ?? named?.split('-', 1)[0]);
    const block = blocks.find(({ start, end }) => start <= number && number <= end);
    const score = line === undefined ? undefined : scores?.[number - 1];
    const own = score === undefined ? '' : ` Score ${score.toFixed(2)}.`;
    if (block !== undefined) {
      const rules = rulesOf(block);
      const what = line === undefined ? `Lines ${block.start}–${block.end}` : `Line ${line}`;
      return `${what}: removed${saidOf(block, ', ')}.${own}${rules}`;
    }
    const why = kept.find(({ start, end }) => start <= number && number <= end)?.why;
    return `Line ${line}: kept, ${why ?? 'no note says why'}.${own}`;
  }

  #move(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || !(event.target instanceof Element)) return;
    const row = event.target.closest('.row');
    const next = row === null ? undefined : this.#neighbour(row, step);
    if (next === undefined) return;
    event.preventDefault();
    this.element.querySelector('.row[tabindex="0"]')?.setAttribute('tabindex', '-1');
    const stop = next.querySelector<HTMLElement>('.toggle') ?? next;
    if (stop === next) next.setAttribute('tabindex', '0');
    stop.focus();
  }

  #neighbour(row: Element, step: number): HTMLElement | undefined {
    const last = this.#rows().indexOf(row as HTMLElement) + step;
    for (const [chunk, fill] of this.#fills)
      if (step > 0 && chunk.previousElementSibling?.contains(row)) fill();
    const rows = this.#rows();
    const at = rows.indexOf(row as HTMLElement) + step;
    return last < 0 ? undefined : rows[at];
  }

  /** Those that can be seen: folded blocks are passed over. */
  #rows(): HTMLElement[] {
    return [...this.#body.querySelectorAll<HTMLElement>('.row')].filter(
      (each) => each.closest('[hidden]') === null,
    );
  }
}

/** A line of any length: what is too long to lay out comes in pieces, on demand. */
function codeCell(text: string): HTMLElement {
  const cell = element('div', { class: 'code', role: 'cell' });
  cell.append(visible(text.slice(0, LONGEST_PIECE)));
  if (text.length > LONGEST_PIECE) cell.append(moreButton(text, LONGEST_PIECE));
  return cell;
}

const PIECE = 20_000;

function moreButton(text: string, from: number): HTMLElement {
  const button = element('button', {
    class: 'more-text',
    type: 'button',
    tabindex: '-1',
    text: ` … ${plural(text.length - from, 'more character')}`,
  });
  button.addEventListener('click', () => {
    const end = from + PIECE;
    button.replaceWith(visible(text.slice(from, end)), ...(end < text.length ? [moreButton(text, end)] : []));
  });
  return button;
}

/** The rule that removed a block, and the best score inside. */
function rulesOf({ rule, why, best }: Block): string {
  const said = rule === null ? '' : ` Rule ${visible(rule)}${why === null ? '.' : `: ${why}`}`;
  return best === null ? said : `${said} Best score inside ${best.toFixed(2)}.`;
}

/** A compact marker may have no reason to give. */
function saidOf({ reason }: Block, separator: string): string {
  return reason === '' ? '' : `${separator}${visible(reason)}`;
}

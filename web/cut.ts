import { type CutRow, type CutText, type CutView, fetchCut } from './api.ts';
import { byId, element } from './dom.ts';
import { count, time } from './format.ts';
import { Sides } from './sides.ts';
import { visible } from './visible.ts';

/** One cut: its figures, what the reader was after, and the original beside what the agent saw. */
export class OneCutView {
  readonly title: string;
  readonly #id: string;

  constructor(id: string) {
    this.#id = id;
    this.title = `Cut ${id}`;
  }

  async show(main: HTMLElement): Promise<void> {
    const view = await fetchCut(this.#id);
    const back = element('a', { href: '#/cuts', text: '← all cuts' });
    const heading = element(
      'h1',
      { tabindex: '-1' },
      'Cut ',
      element('span', { class: 'mono', text: this.#id }),
    );
    const head = element('div', { class: 'head' }, heading, back);
    main.replaceChildren(head, ...(view === undefined ? [unknown()] : parts(view)));
  }

  /** The text does not change; only the recovered tokens do. */
  async refresh(): Promise<void> {
    const view = await fetchCut(this.#id);
    if (view?.cut) byId('facts').replaceChildren(...facts(view.cut));
  }
}

function unknown(): HTMLElement {
  return element('p', { class: 'panel', text: 'This cut is neither in the ledger nor in the store.' });
}

function parts({ cut, text }: CutView): HTMLElement[] {
  const figures = element('dl', { id: 'facts', class: 'facts' }, ...(cut === null ? [] : facts(cut)));
  const summary = element('section', { class: 'panel', 'aria-label': 'Figures' }, figures);
  if (text === null) {
    return [summary, element('p', { id: 'expired', class: 'panel', text: whyNoText(cut) })];
  }
  return [summary, focusPanel(text), new Sides(text).element];
}

function whyNoText(cut: CutRow | null): string {
  if (cut?.user !== undefined)
    return `The text can be read with the token ${cut.user} alone, until it expires: these are the figures.`;
  return 'The text has expired: it can no longer be recovered, and these figures are all that is left.';
}

function facts(cut: CutRow): HTMLElement[] {
  const isLoss = cut.netTokensSaved < 0;
  const rows: [string, string][] = [
    ['when', time(cut.at)],
    ['tool', cut.tool],
    ['client', cut.client ?? 'unknown'],
    ...(cut.user === undefined ? [] : [['token', cut.user] as [string, string]]),
    ['server', cut.server ?? cut.system],
    ['tokens', `${count(cut.tokensBefore)} → ${count(cut.tokensAfter)}`],
    ['recovered', count(cut.tokensRecovered)],
    [isLoss ? 'net loss' : 'net saved', count(cut.netTokensSaved)],
    ...(cut.durationMs === undefined ? [] : [['added', `${cut.durationMs} ms`] as [string, string]]),
    ...(cut.fallback === undefined ? [] : [['fallback', cut.fallback] as [string, string]]),
  ];
  return rows.map(([name, value]) =>
    element('div', {}, element('dt', { text: name }), element('dd', { text: value })),
  );
}

function focusPanel({ focus, sourceType, scorer, lines, blocks }: CutText): HTMLElement {
  const removed = blocks.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  const how = [sourceType, scorer].filter((each) => each !== null).join(', ');
  const rows = Object.entries(focus ?? {}).filter(([, value]) => value !== '');
  return element(
    'section',
    { class: 'panel', 'aria-label': 'What the reader was after' },
    element('p', {
      class: 'muted',
      text: `${count(removed)} of ${count(lines.length)} lines removed${how === '' ? '' : ` (${how})`}`,
    }),
    focus === null
      ? element('p', { text: 'No record of this cut was kept, so the reasons are unknown.' })
      : undefined,
    element(
      'dl',
      { class: 'facts' },
      ...rows.map(([name, value]) =>
        element(
          'div',
          {},
          element('dt', { text: name }),
          element('dd', { text: visible(value.slice(0, 4000)) }),
        ),
      ),
    ),
  );
}

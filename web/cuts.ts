import { type CutRow, fetchCuts, fetchOverview } from './api.ts';
import { byId, element } from './dom.ts';
import { count, time } from './format.ts';

const FILTERS = { tool: 'byTool', client: 'byClient', server: 'byServer' } as const;

/** The cuts, newest first; new ones come in at the top by themselves. */
export class CutsView {
  readonly title = 'Cuts';
  #filter: Record<string, string> = {};
  #next: number | null = null;
  #seen = new Set<string>();

  async show(main: HTMLElement): Promise<void> {
    const heading = element('h1', { text: this.title, tabindex: '-1' });
    const total = element('p', { id: 'total', class: 'muted', role: 'status' });
    const more = element('button', { id: 'more', class: 'button', type: 'button', text: 'Show older cuts' });
    more.addEventListener('click', () => void this.#older());
    const scroll = element(
      'div',
      { class: 'scroll', role: 'region', 'aria-label': 'Cuts', tabindex: '0' },
      table(),
    );
    const panel = element('section', { class: 'panel', 'aria-label': 'List' }, scroll, more);
    main.replaceChildren(element('div', { class: 'head' }, heading, total), await this.#filters(), panel);
    this.#seen = new Set();
    await this.refresh();
  }

  /** The newest page again; what was not there before is marked. */
  async refresh(): Promise<void> {
    const { cuts, next, total } = await fetchCuts(this.#filter);
    const isFirst = this.#seen.size === 0;
    byId('rows').replaceChildren(...cuts.map((cut) => row(cut, !isFirst && !this.#seen.has(keyOf(cut)))));
    for (const cut of cuts) this.#seen.add(keyOf(cut));
    this.#shown(next, cuts.length === 0 ? 'No cuts' : `${count(total)} in the ledger`);
  }

  async #older(): Promise<void> {
    if (this.#next === null) return;
    const { cuts, next } = await fetchCuts({ ...this.#filter, before: String(this.#next) });
    for (const cut of cuts) this.#seen.add(keyOf(cut));
    byId('rows').append(...cuts.map((cut) => row(cut, false)));
    this.#shown(next, byId('total').textContent ?? '');
  }

  #shown(next: number | null, text: string): void {
    this.#next = next;
    byId('more').hidden = next === null;
    byId('total').textContent = text;
  }

  async #filters(): Promise<HTMLElement> {
    const overview = await fetchOverview('all');
    const form = element('form', { class: 'panel filters', role: 'search', 'aria-label': 'Filter cuts' });
    for (const [name, sums] of Object.entries(FILTERS)) {
      const options = Object.keys(overview[sums]).sort();
      const all = element('option', { value: '', text: 'all' });
      const select = element(
        'select',
        { name },
        all,
        ...options.map((value) => element('option', { value, text: value })),
      );
      select.value = this.#filter[name] ?? '';
      form.append(element('label', {}, name, select));
    }
    const reason = element('input', { name: 'reason', type: 'search', placeholder: 'part of a reason' });
    reason.value = this.#filter.reason ?? '';
    form.append(element('label', {}, 'reason', reason));
    form.addEventListener('submit', (event) => event.preventDefault());
    form.addEventListener('input', () => this.#choose(new FormData(form)));
    return form;
  }

  #choose(data: FormData): void {
    this.#filter = Object.fromEntries(
      [...data].flatMap(([name, value]) => (value === '' ? [] : [[name, String(value)]])),
    );
    this.#seen = new Set();
    void this.refresh();
  }
}

function keyOf({ at, pruneId, tool }: CutRow): string {
  return `${at} ${pruneId ?? tool}`;
}

function table(): HTMLElement {
  const columns = [
    ['when', ''],
    ['tool', ''],
    ['client', 'optional'],
    ['server', 'optional'],
    ['before', 'num optional'],
    ['after', 'num optional'],
    ['recovered', 'num optional'],
    ['net', 'num'],
    ['remarks', ''],
  ] as const;
  const head = columns.map(([text, kind]) => element('th', { scope: 'col', class: kind, text }));
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', { id: 'rows' }),
  );
}

function row(cut: CutRow, isFresh: boolean): HTMLElement {
  const { at, pruneId, tool, tokensBefore, tokensAfter, tokensRecovered, netTokensSaved } = cut;
  const when =
    pruneId === undefined
      ? time(at)
      : element('a', { href: `#/cut/${encodeURIComponent(pruneId)}`, text: time(at) });
  const isLoss = netTokensSaved < 0;
  return element(
    'tr',
    { class: isFresh ? 'fresh' : '', 'data-id': pruneId ?? '' },
    element('td', {}, when),
    element('td', { class: 'name', text: tool }),
    element('td', { class: 'name optional', text: cut.client ?? 'unknown' }),
    element('td', { class: 'name optional', text: cut.server ?? cut.system }),
    element('td', { class: 'num optional', text: count(tokensBefore) }),
    element('td', { class: 'num optional', text: count(tokensAfter) }),
    element('td', { class: 'num optional', text: count(tokensRecovered) }),
    element('td', { class: isLoss ? 'num loss' : 'num', text: count(netTokensSaved) }),
    element('td', {}, ...tags(cut)),
  );
}

function tags({ kind, fallback, netTokensSaved }: CutRow): HTMLElement[] {
  return [
    ...(kind === 'masked' ? [element('span', { class: 'tag', text: 'masked' })] : []),
    ...(fallback === undefined ? [] : [element('span', { class: 'tag loss', text: fallback })]),
    ...(netTokensSaved < 0 ? [element('span', { class: 'tag loss', text: 'loss' })] : []),
  ];
}

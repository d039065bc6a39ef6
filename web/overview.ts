import { fetchOverview, type Overview, type Sum, type Sums } from './api.ts';
import { SavingsChart } from './chart.ts';
import { element } from './dom.ts';
import { compact, count, money, percent, plural } from './format.ts';

const SPANS = { '24h': '24 h', '7d': '7 days', '30d': '30 d', '90d': '90 d', all: 'All' };

/** Net savings over time and by whom; the span stays chosen while the page is open. */
export class OverviewView {
  readonly title = 'Overview';
  #span = '7d';
  #chart: SavingsChart | undefined;
  #body: HTMLElement | undefined;

  async show(main: HTMLElement): Promise<void> {
    const heading = element('h1', { text: this.title, tabindex: '-1' });
    this.#body = element('div', { class: 'thirds' });
    this.#chart = undefined;
    main.replaceChildren(
      element('div', { class: 'head' }, heading, this.#spans()),
      ...this.#frame(),
      this.#body,
    );
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const overview = await fetchOverview(this.#span);
    document
      .getElementById('foot')
      ?.replaceChildren(
        `Sécateur ${overview.version}. Tokens are estimates; net is tokens saved minus tokens recovered.`,
      );
    document.getElementById('figures')?.replaceChildren(...heroFigures(overview));
    document.getElementById('tiles')?.replaceChildren(...tiles(overview));
    this.#body?.replaceChildren(
      breakdown('By client', overview.byClient),
      breakdown('By server', overview.byServer),
      breakdown('By tool', overview.byTool),
    );
    document.getElementById('series')?.replaceChildren(seriesTable(overview));
    this.#chart?.show(overview.series, overview.stepSeconds);
  }

  #frame(): HTMLElement[] {
    const plot = element('div');
    this.#chart = new SavingsChart(plot);
    const details = element(
      'details',
      {},
      element('summary', { text: 'Show as a table' }),
      element('div', {
        id: 'series',
        class: 'scroll',
        tabindex: '0',
        role: 'region',
        'aria-label': 'Net tokens saved over time',
      }),
    );
    const chart = element(
      'div',
      { class: 'chart' },
      element('h2', { text: 'Net tokens saved over time' }),
      plot,
      details,
    );
    const hero = element(
      'section',
      { class: 'panel hero', 'aria-label': 'Net savings' },
      element('div', { id: 'figures' }),
      chart,
    );
    return [
      hero,
      element(
        'section',
        { class: 'panel', 'aria-label': 'Rates' },
        element('dl', { id: 'tiles', class: 'tiles' }),
      ),
    ];
  }

  #spans(): HTMLElement {
    const group = element('fieldset', { class: 'spans', 'aria-label': 'Span of time' });
    for (const [span, name] of Object.entries(SPANS)) {
      const input = element('input', { type: 'radio', name: 'span', value: span });
      input.checked = span === this.#span;
      input.addEventListener('change', () => {
        this.#span = span;
        void this.refresh();
      });
      group.append(element('label', {}, input, name));
    }
    return group;
  }
}

function heroFigures({ total, money: cost }: Overview): HTMLElement[] {
  const { netTokensSaved, tokensBefore, tokensAfter, tokensRecovered } = total;
  const isLoss = netTokensSaved < 0;
  const big = element('p', {
    class: isLoss ? 'big loss' : 'big',
    id: 'net',
    title: count(netTokensSaved),
    text: compact(netTokensSaved),
  });
  return [
    element('h2', { text: isLoss ? 'Net tokens lost' : 'Net tokens saved' }),
    big,
    element('p', {
      class: 'muted',
      text: `${percent(netTokensSaved, tokensBefore)} of ${compact(tokensBefore)} read`,
    }),
    element('p', {
      class: 'muted',
      text: `${compact(tokensBefore - tokensAfter)} saved − ${compact(tokensRecovered)} recovered`,
    }),
    ...(cost === null ? [] : [moneyFigures(cost)]),
  ];
}

function moneyFigures({
  prices,
  input,
  cacheWrite,
  cacheReadPerTurn,
}: NonNullable<Overview['money']>): HTMLElement {
  const { currency, model } = prices;
  const line = (value: number | undefined, text: string) =>
    value === undefined
      ? undefined
      : element('p', {}, element('strong', { text: money(value, currency) }), ` ${text}`);
  const given = [
    prices.input === undefined ? [] : `input ${prices.input}`,
    prices.cacheWrite === undefined ? [] : `cache write ${prices.cacheWrite}`,
    prices.cacheRead === undefined ? [] : `cache read ${prices.cacheRead}`,
  ].flat();
  return element(
    'div',
    { class: 'money', id: 'money' },
    line(input, 'as input'),
    line(cacheWrite, 'as cache writes'),
    line(cacheReadPerTurn, 'more for each later turn, as cache reads'),
    element('p', {
      class: 'muted',
      text: `${model ?? 'Prices'}: ${given.join(', ')} ${currency} a million tokens`,
    }),
  );
}

function tiles({ total, fallbackReasons, cutsAskedBack, losses, latencyMs }: Overview): HTMLElement[] {
  const reasons = Object.entries(fallbackReasons).map(([reason, many]) => `${reason} ${count(many)}`);
  const { p50, p95 } = latencyMs;
  return [
    tile('Cuts', count(total.calls), plural(total.recoveries, 'recovery').replace('recoverys', 'recoveries')),
    tile(
      'Recovered',
      percent(cutsAskedBack, total.calls),
      `${plural(cutsAskedBack, 'cut')}, ${count(losses)} at a loss`,
    ),
    tile(
      'Fallbacks',
      percent(total.fallbacks, total.calls),
      reasons.length === 0 ? 'none' : reasons.join(', '),
    ),
    tile(
      'Added latency',
      p50 === null ? '–' : `${p50} ms`,
      p95 === null ? 'not measured yet' : `median; p95 ${p95} ms`,
    ),
  ];
}

function tile(name: string, value: string, more: string): HTMLElement {
  return element(
    'div',
    {},
    element('dt', { text: name }),
    element('dd', { class: 'value', text: value }),
    element('dd', { class: 'more', text: more }),
  );
}

const MOST_ROWS = 12;

function breakdown(title: string, sums: Sums): HTMLElement {
  const rows = Object.entries(sums).sort(([, left], [, right]) => right.netTokensSaved - left.netTokensSaved);
  const largest = Math.max(1, ...rows.map(([, { netTokensSaved }]) => Math.abs(netTokensSaved)));
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col', text: title.slice(3) }),
    element('th', { scope: 'col', class: 'num', text: 'cuts' }),
    element('th', { scope: 'col', class: 'num', text: 'recovered' }),
    element('th', { scope: 'col', class: 'num', text: 'net tokens' }),
  );
  const body = rows.slice(0, MOST_ROWS).map(([name, sum]) => breakdownRow(name, sum, largest));
  const empty =
    rows.length === 0 ? element('p', { class: 'muted', text: 'Nothing in this span.' }) : undefined;
  const rest =
    rows.length > MOST_ROWS
      ? element('p', { class: 'muted', text: `and ${rows.length - MOST_ROWS} more` })
      : undefined;
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...body));
  return element(
    'section',
    { class: 'panel', 'aria-label': title },
    element('h2', { text: title }),
    empty ?? table,
    rest,
  );
}

function breakdownRow(name: string, sum: Sum, largest: number): HTMLElement {
  const isLoss = sum.netTokensSaved < 0;
  const bar = element('span', { class: isLoss ? 'bar loss' : 'bar' });
  bar.style.width = `${(100 * Math.abs(sum.netTokensSaved)) / largest}%`;
  return element(
    'tr',
    { 'data-name': name },
    element('td', { class: 'name' }, name, bar),
    element('td', { class: 'num', text: count(sum.calls) }),
    element('td', { class: 'num', text: compact(sum.tokensRecovered) }),
    element('td', {
      class: isLoss ? 'num loss' : 'num',
      title: count(sum.netTokensSaved),
      text: compact(sum.netTokensSaved),
    }),
  );
}

function seriesTable({ series, stepSeconds }: Overview): HTMLElement {
  const head = ['from (UTC)', 'saved', 'recovered', 'net'].map((text, column) =>
    element('th', { scope: 'col', text, ...(column > 0 && { class: 'num' }) }),
  );
  const rows = series.map(({ at, tokensSaved, tokensRecovered, netTokensSaved }) => {
    const from = new Date(at * 1000).toISOString().slice(0, stepSeconds >= 86_400 ? 10 : 16);
    const cells = [tokensSaved, tokensRecovered, netTokensSaved].map((value) =>
      element('td', { class: 'num', text: count(value) }),
    );
    return element('tr', {}, element('td', { text: from.replace('T', ' ') }), ...cells);
  });
  return element(
    'table',
    {},
    element('thead', {}, element('tr', {}, ...head)),
    element('tbody', {}, ...rows),
  );
}

import type { Options } from 'uplot';
import type { Point } from './api.ts';
import { compact } from './format.ts';
import uPlot from './uplot.js';

const HEIGHT = 220;

/** Draws one bar of net savings per period; bars below zero mean more tokens recovered than saved. */
export class SavingsChart {
  readonly element: HTMLElement;
  #plot: uPlot | undefined;
  #points: readonly Point[] = [];
  #stepSeconds = 0;

  constructor(element: HTMLElement) {
    this.element = element;
    new ResizeObserver(() => this.#fit()).observe(element);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#draw());
  }

  show(points: readonly Point[], stepSeconds: number): void {
    this.#points = points;
    const isSameShape = stepSeconds === this.#stepSeconds && this.#plot !== undefined;
    this.#stepSeconds = stepSeconds;
    if (isSameShape) this.#plot?.setData(dataOf(points));
    else this.#draw();
  }

  #draw(): void {
    this.#plot?.destroy();
    const width = this.element.clientWidth;
    this.#plot = new uPlot(
      optionsFor(this.element, width, this.#stepSeconds),
      dataOf(this.#points),
      this.element,
    );
  }

  #fit(): void {
    const width = this.element.clientWidth;
    if (width > 0) this.#plot?.setSize({ width, height: HEIGHT });
  }
}

function dataOf(points: readonly Point[]): [number[], number[]] {
  return [points.map(({ at }) => at), points.map(({ netTokensSaved }) => netTokensSaved)];
}

function optionsFor(host: HTMLElement, width: number, stepSeconds: number): Options {
  const style = getComputedStyle(host);
  const color = (name: string) => style.getPropertyValue(name).trim();
  const axis = {
    stroke: color('--muted'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  };
  const { bars } = uPlot.paths;
  return {
    width,
    height: HEIGHT,
    cursor: { y: false, points: { show: false } },
    legend: { live: true },
    scales: { x: { range: (_, min, max) => [min - stepSeconds / 2, max + stepSeconds / 2] } },
    axes: [
      { ...axis, grid: { show: false } },
      { ...axis, size: 56, values: (_, ticks) => ticks.map(compact) },
    ],
    series: [
      {
        label: stepSeconds >= 86_400 ? 'Day' : 'Hour',
        value: (_, at) => (at === null ? '–' : when(at, stepSeconds)),
      },
      {
        label: 'Net tokens saved',
        stroke: color('--accent'),
        fill: color('--accent'),
        width: 0,
        points: { show: false },
        ...(bars && { paths: bars({ size: [0.7, 36], radius: 0.15 }) }),
        value: (_, net) => (net === null ? '–' : compact(net)),
      },
    ],
  };
}

function when(at: number, stepSeconds: number): string {
  const date = new Date(at * 1000);
  return stepSeconds >= 86_400
    ? date.toISOString().slice(0, 10)
    : date.toLocaleTimeString([], { timeStyle: 'short' });
}

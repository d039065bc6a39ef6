import { OneCutView } from './cut.ts';
import { CutsView } from './cuts.ts';
import { byId, element } from './dom.ts';
import { OverviewView } from './overview.ts';

interface View {
  readonly title: string;
  show(main: HTMLElement): Promise<void>;
  /** Something new is in the ledger. */
  refresh(): Promise<void>;
}

const overview = new OverviewView();
const cuts = new CutsView();
const main = byId('main');
let view: View = overview;

async function navigate(isFirst: boolean): Promise<void> {
  view = viewAt(location.hash);
  document.title = `${view.title} · Sécateur`;
  const name = view === overview ? 'overview' : 'cuts';
  for (const link of document.querySelectorAll<HTMLElement>('nav a')) {
    if (link.dataset.view === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  await view.show(main).catch(failed);
  if (!isFirst) main.querySelector('h1')?.focus();
}

function viewAt(hash: string): View {
  const id = /^#\/cut\/(.+)$/.exec(hash)?.[1];
  if (id !== undefined) return new OneCutView(decodeURIComponent(id));
  return hash.startsWith('#/cuts') ? cuts : overview;
}

function failed(error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  main.replaceChildren(element('p', { class: 'panel', role: 'alert', text }));
}

/** Several cuts a second make one refresh a second. */
function follow(): void {
  const live = byId('live');
  const events = new EventSource('/api/events');
  let waiting: number | undefined;
  events.addEventListener('change', () => {
    if (waiting !== undefined) return;
    waiting = setTimeout(() => {
      waiting = undefined;
      void view.refresh().catch(() => {});
    }, 250);
  });
  events.addEventListener('open', () => {
    live.textContent = 'live';
    live.dataset.on = '';
  });
  events.addEventListener('error', () => {
    live.textContent = 'offline';
    delete live.dataset.on;
  });
}

// The link that skips to the content names no view.
addEventListener('hashchange', () => void (location.hash === '#main' || navigate(false)));
void navigate(true);
follow();

/** Pages: snapshots of a browser server, and documentation as fetch tools return it. */
import { type Dice, dice, padded, times } from '../draft.ts';
import { CHINESE, ENGLISH, FRENCH, type Language, text } from './prose.ts';

/** Lines of an accessibility tree with running references. */
class Snapshot {
  readonly lines: string[] = [];
  #ref = 1;

  add(depth: number, node: string, inner = ''): void {
    this.lines.push(`${'  '.repeat(depth)}- ${node} [ref=e${this.#ref++}]${inner}`);
  }

  link(depth: number, name: string, url: string): void {
    this.add(depth, `link "${name}"`, ' [cursor=pointer]:');
    this.lines.push(`${'  '.repeat(depth + 1)}- /url: ${url}`);
  }

  text(depth: number, words: string): void {
    this.lines.push(`${'  '.repeat(depth)}- text: ${words}`);
  }

  page(url: string, title: string): string {
    return [
      '### Page state',
      `- Page URL: ${url}`,
      `- Page Title: ${title}`,
      '- Page Snapshot:',
      '```yaml',
      ...this.lines,
      '```',
    ].join('\n');
  }
}

function frame(page: Snapshot, { phrase, hex }: Dice, part: 'top' | 'bottom'): void {
  const isTop = part === 'top';
  page.add(0, isTop ? 'banner' : 'contentinfo', ':');
  if (isTop) {
    page.link(1, 'Home', '/');
    page.add(1, 'searchbox "Search"');
  }
  page.add(1, `navigation "${isTop ? 'Main' : 'Footer'}"`, ':');
  page.add(2, 'list', ':');
  for (let at = 0; at < (isTop ? 35 : 45); at += 1) {
    page.add(3, 'listitem', ':');
    page.link(
      4,
      phrase(2),
      `/c/${hex(6)}/${phrase(3).replaceAll(' ', '-')}?from=${isTop ? 'menu' : 'footer'}`,
    );
  }
}

export function shop(seed: string, count: number, special: Readonly<Record<number, string>>): string {
  const roll = dice(seed);
  const page = new Snapshot();
  frame(page, roll, 'top');
  page.add(0, 'main', ':');
  page.add(1, 'heading "Backpacks" [level=1]');
  page.add(1, 'list', ':');
  for (let at = 0; at < count; at += 1) {
    const name = special[at] ?? `${roll.phrase(2)} ${20 + roll.below(30)} l`;
    page.add(2, 'listitem', ':');
    page.add(3, 'article', ':');
    page.link(4, name, `/p/${roll.hex(8)}`);
    page.add(4, `img "${name}"`);
    page.add(4, `heading "${name}" [level=3]`);
    page.add(4, 'paragraph', `: ${text(roll, ENGLISH, 1)}`);
    page.text(4, `€${40 + roll.below(90)}.00`);
    for (const colour of ['Red', 'Green']) page.add(4, `radio "${colour}"`);
    page.add(4, 'button "Add to cart"');
  }
  frame(page, roll, 'bottom');
  return page.page('https://shop.example/backpacks', 'Backpacks');
}

export function adminTable(
  seed: string,
  count: number,
  special: Readonly<Record<number, readonly string[]>>,
): string {
  const roll = dice(seed);
  const page = new Snapshot();
  frame(page, roll, 'top');
  page.add(0, 'main', ':');
  page.add(1, 'heading "Accounts" [level=1]');
  page.add(1, 'table "Accounts"', ':');
  page.add(2, 'rowgroup', ':');
  for (let at = -1; at < count; at += 1) {
    const login = `${roll.pick(['mira', 'jonas', 'selin', 'dana', 'ilse'])}${padded(at + 1, 3)}`;
    const cells =
      at < 0
        ? ['Login', 'Mail', 'Role', 'State', '']
        : (special[at] ?? [login, `${login}@acme.example`, 'Member', 'active', 'Edit']);
    page.add(3, `row "${cells.join(' ')}"`, ':');
    for (const cell of cells.slice(0, 4)) page.add(4, `${at < 0 ? 'columnheader' : 'cell'} "${cell}"`);
    if (at < 0) continue;
    page.add(4, 'cell "Edit"', ':');
    page.add(5, 'button "Edit"');
  }
  frame(page, roll, 'bottom');
  return page.page('https://admin.example/accounts', 'Accounts');
}

export function forum(seed: string, count: number, special: Readonly<Record<number, string>>): string {
  const roll = dice(seed);
  const page = new Snapshot();
  frame(page, roll, 'top');
  page.add(0, 'main', ':');
  page.add(1, 'heading "Sauvegarde incomplète" [level=1]');
  for (let at = 0; at < count; at += 1) {
    const author = roll.pick(['lucie', 'marc.d', 'noor', 'ptrv']);
    page.add(1, `article "Message ${at + 1}"`, ':');
    page.add(2, `img "${author}"`);
    page.link(2, author, `/membres/${author}`);
    page.text(2, `il y a ${at + 2} jours`);
    page.add(2, 'paragraph', `: ${special[at] ?? text(roll, FRENCH, 3)}`);
    for (const name of ['Répondre', 'Citer', 'Signaler']) page.add(2, `button "${name}"`);
  }
  frame(page, roll, 'bottom');
  return page.page('https://forum.example/t/sauvegarde-incomplete', 'Sauvegarde incomplète');
}

/** A section of a page: its heading, and what it says at least. */
export interface Topic {
  readonly title: string;
  readonly lines?: readonly string[];
}

export type Layout = 'markdown' | 'underlined';

/** A documentation page with many sections; in those without lines of their own everything is made up. */
export function manual(
  seed: string,
  { topics, language, layout }: { topics: readonly Topic[]; language: Language; layout: Layout },
): string {
  const roll = dice(seed);
  const title = (level: number, words: string) =>
    layout === 'markdown'
      ? [`${'#'.repeat(level)} ${words}`]
      : [words, (level === 1 ? '=' : '-').repeat(words.length + 2)];
  const filler = (words: string) => [
    ...times(2 + roll.below(3), () => [`${words}: ${text(roll, language, 3)}`, '']).flat(),
    ...(layout === 'markdown'
      ? [
          '```toml',
          `[${roll.phrase(1)}]`,
          ...times(3, () => `${roll.phrase(2).replace(' ', '_')} = ${roll.below(900)}`),
          '```',
          '',
        ]
      : []),
    ...times(4, () => `- ${roll.phrase(2)}: ${text(roll, language, 1)}`),
    '',
    text(roll, language, 4),
  ];
  const body = topics.flatMap((topic) => [
    '',
    ...title(2, topic.title),
    '',
    ...(topic.lines ?? filler(topic.title)),
  ]);
  const menu = topics.map(
    (topic) => `- [${topic.title}](#${topic.title.toLowerCase().replaceAll(' ', '-')})`,
  );
  return [...title(1, 'Depot'), '', ...menu, ...body].join('\n');
}

export const LANGUAGES = { english: ENGLISH, french: FRENCH, chinese: CHINESE };

/** Deployments as YAML. */
export function deployments(
  seed: string,
  names: readonly string[],
  special: Readonly<Record<string, { image: string; limit: string }>>,
): string {
  const roll = dice(seed);
  return [
    'apiVersion: v1',
    'kind: List',
    'items:',
    ...names.flatMap((name) => {
      const {
        image = `registry.example/shop/${name}:4.${roll.below(9)}`,
        limit = `${256 + 64 * roll.below(8)}Mi`,
      } = special[name] ?? {};
      return [
        '- apiVersion: apps/v1',
        '  kind: Deployment',
        '  metadata:',
        '    annotations:',
        `      deployment.kubernetes.io/revision: "${1 + roll.below(40)}"`,
        `      checksum/config: ${roll.hex(64)}`,
        `    creationTimestamp: "2026-0${1 + roll.below(9)}-11T08:00:00Z"`,
        '    generation: 4',
        `    name: ${name}`,
        '    namespace: shop',
        `    resourceVersion: "${88_000_000 + roll.below(90_000)}"`,
        `    uid: ${roll.hex(8)}-${roll.hex(4)}-${roll.hex(4)}-${roll.hex(12)}`,
        '  spec:',
        '    progressDeadlineSeconds: 600',
        '    replicas: 2',
        '    revisionHistoryLimit: 10',
        '    selector:',
        '      matchLabels:',
        `        app: ${name}`,
        '    template:',
        '      spec:',
        '        containers:',
        '        - env:',
        '          - name: LOG_LEVEL',
        '            value: info',
        `          image: ${image}`,
        '          imagePullPolicy: IfNotPresent',
        `          name: ${name}`,
        '          resources:',
        '            limits:',
        `              memory: ${limit}`,
        '          terminationMessagePath: /dev/termination-log',
        '          terminationMessagePolicy: File',
        '        dnsPolicy: ClusterFirst',
        '        restartPolicy: Always',
        '        terminationGracePeriodSeconds: 30',
        '  status:',
        '    availableReplicas: 2',
        '    readyReplicas: 2',
        '    replicas: 2',
      ];
    }),
  ].join('\n');
}

/** Builders of large results as MCP servers and programs return them; the same text on every call. */

const WORDS =
  'river stone maple copper harbor lantern meadow orchard signal canyon willow bridge summit anchor'.split(
    ' ',
  );

/** A sequence of numbers that looks random and is the same in every run. */
function sequence(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

function phrase(pick: (below: number) => number, words: number): string {
  return Array.from({ length: words }, () => WORDS[pick(WORDS.length)]).join(' ');
}

function hexText(pick: (below: number) => number, length: number): string {
  return Array.from({ length }, () => pick(16).toString(16)).join('');
}

/** The accessibility tree of a shop's page; one product is the Trail Runner 3 with a blue variant. */
export function browserSnapshot(products = 90): string {
  const pick = sequence(7);
  let ref = 1;
  const at = () => `[ref=e${ref++}]`;
  const lines = [`- banner ${at()}:`, `  - link "Home" ${at()}`, `  - searchbox "Search" ${at()}`];
  lines.push(`- navigation "Categories" ${at()}:`);
  for (let each = 0; each < 40; each += 1) lines.push(`  - link "${phrase(pick, 2)}" ${at()}`);
  lines.push(`- main ${at()}:`, `  - heading "All shoes" [level=1] ${at()}`);
  for (let each = 0; each < products; each += 1) {
    const name = each === 44 ? 'Trail Runner 3' : `${phrase(pick, 2)} ${each}`;
    lines.push(`  - article "${name}" ${at()}:`, `    - heading "${name}" [level=3] ${at()}`);
    lines.push(`    - paragraph ${at()}: ${phrase(pick, 18)}`, `    - text: €${40 + pick(90)}.00`);
    lines.push(
      `    - combobox "Size" ${at()}`,
      `    - button "Blue" ${at()}`,
      `    - button "Add to cart" ${at()}`,
    );
  }
  lines.push(`- contentinfo ${at()}:`);
  for (let each = 0; each < 20; each += 1) lines.push(`  - link "${phrase(pick, 2)}" ${at()}`);
  return lines.join('\n');
}

/** Issues as a code host returns them, pretty-printed; number 431 is about a timeout of the export queue. */
export function issueList(issues = 60): string {
  const pick = sequence(11);
  const records = Array.from({ length: issues }, (_, index) => {
    const number = 400 + index;
    const title = number === 431 ? 'Export queue stops after a timeout' : phrase(pick, 6);
    return {
      id: 9_000_000 + index * 17,
      node_id: `MDU6SXNzdWU${hexText(pick, 10).toUpperCase()}aB`,
      number,
      title,
      state: index % 9 === 0 ? 'closed' : 'open',
      url: `https://api.host.example/repos/shop/issues/${number}`,
      html_url: `https://host.example/shop/issues/${number}`,
      events_url: `https://api.host.example/repos/shop/issues/${number}/events`,
      user: {
        login: WORDS[pick(14)],
        id: pick(9999),
        avatar_url: `https://img.example/u/${hexText(pick, 20)}`,
      },
      labels: [],
      comments: pick(9),
      created_at: `2026-0${1 + pick(9)}-1${pick(9)}T10:00:00Z`,
      body: phrase(pick, 70),
    };
  });
  return JSON.stringify(records, undefined, 2);
}

/** Commits in one line of JSON; three of them fix a bug in `rules`. */
export function commitList(commits = 200): string {
  const pick = sequence(13);
  const records = Array.from({ length: commits }, (_, index) => ({
    sha: hexText(pick, 40),
    node_id: `C_kwDO${hexText(pick, 30)}Zx`,
    commit: {
      author: {
        name: `${WORDS[pick(14)]} ${WORDS[pick(14)]}`,
        date: `2026-03-${10 + (index % 19)}T09:00:00Z`,
      },
      message: [60, 121, 177].includes(index)
        ? `fix(rules): ${phrase(pick, 4)}`
        : `chore: ${phrase(pick, 6)}`,
      tree: { sha: hexText(pick, 40), url: `https://api.host.example/trees/${hexText(pick, 40)}` },
      verification: {
        verified: true,
        reason: 'valid',
        signature: hexText(pick, 120),
        payload: phrase(pick, 60),
      },
    },
    url: `https://api.host.example/commits/${hexText(pick, 40)}`,
    html_url: `https://host.example/shop/commit/${index}`,
    parents: [{ sha: hexText(pick, 40), url: `https://api.host.example/commits/${hexText(pick, 40)}` }],
  }));
  return JSON.stringify(records);
}

/** Orders as CSV; order 1733 has an absurd total, order 2204 is shipped without a date. */
export function orderTable(rows = 3000): string {
  const pick = sequence(17);
  const lines = ['id,customer,status,total_cents,placed_at,shipped_at'];
  for (let id = 1; id <= rows; id += 1) {
    const status = id === 2204 ? 'shipped' : (['paid', 'shipped', 'refunded'][pick(3)] ?? 'paid');
    const total = id === 1733 ? 98_765_432 : 500 + pick(40_000);
    const day = `2026-0${1 + (Math.floor((id * 8) / rows) % 9)}-${10 + pick(18)}`;
    lines.push(
      `${id},${pick(900)},${status},${total},${day},${status === 'shipped' && id !== 2204 ? day : ''}`,
    );
  }
  return lines.join('\n');
}

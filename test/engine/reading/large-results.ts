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

const person = (name: string) => ({
  accountId: `5b10a2844c20165700ede2${name}`,
  avatarUrls: {
    '48x48': `https://avatars.example.test/${name}/48`,
    '24x24': `https://avatars.example.test/${name}/24`,
  },
  displayName: name,
  active: true,
  timeZone: 'Europe/Oslo',
});

/** The history of a chat's channel: `blocks` repeat the text of each message in rich form. */
export function messageList(messages = 80): string {
  const pick = sequence(17);
  const list = Array.from({ length: messages }, (_, index) => {
    const text = phrase(pick, 8 + (index % 12));
    const elements = [
      { type: 'text', text: `${text} ` },
      { type: 'user', user_id: `U0${hexText(pick, 8)}` },
    ];
    return {
      client_msg_id: `${hexText(pick, 8)}-${hexText(pick, 4)}-${hexText(pick, 12)}`,
      type: 'message',
      text: `${text} <@U0${hexText(pick, 8)}>`,
      user: `U0ABC${index % 5}`,
      ts: `17${70_000_000 + index * 431}.${100_000 + index}`,
      team: 'T024BE7LD',
      reactions: index % 5 === 0 ? [{ name: 'eyes', users: [`U0ABC${index % 3}`], count: 1 }] : [],
      blocks: [
        {
          type: 'rich_text',
          block_id: hexText(pick, 5),
          elements: [{ type: 'rich_text_section', elements }],
        },
      ],
    };
  });
  return JSON.stringify({ ok: true, messages: list, has_more: true }, undefined, 2);
}

/** A search for tickets whose fields are wrapped in one member, with people as objects. */
export function ticketList(tickets = 40): string {
  const pick = sequence(23);
  const people = ['Ada', 'Bo', 'Chen', 'Dana'];
  const issues = Array.from({ length: tickets }, (_, index) => ({
    id: String(10_000 + index),
    self: `https://tickets.example.test/rest/api/3/issue/${10_000 + index}`,
    key: `SHOP-${index + 1}`,
    fields: {
      summary: phrase(pick, 6),
      issuetype: { self: 'https://tickets.example.test/type/4', id: '4', name: ['Bug', 'Task'][index % 2] },
      status: {
        self: 'https://tickets.example.test/status/3',
        id: '3',
        name: ['To do', 'In progress', 'Done'][index % 3],
      },
      created: `2026-02-${10 + (index % 18)}T08:00:00.000+0000`,
      updated: `2026-03-${10 + (index % 18)}T08:00:00.000+0000`,
      assignee: person(people[index % 4] ?? ''),
      creator: person(people[(index + 1) % 4] ?? ''),
      reporter: person(people[(index + 1) % 4] ?? ''),
      description: {
        type: 'doc',
        version: 1,
        content: [{ type: 'paragraph', content: [{ type: 'text', text: phrase(pick, 60) }] }],
      },
      votes: { self: `https://tickets.example.test/issue/${index}/votes`, votes: 0, hasVoted: false },
      ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`customfield_100${at}`, null])),
    },
  }));
  return JSON.stringify({ startAt: 0, total: 312, issues }, undefined, 2);
}

/** Machines of a cloud, each in a list of its own. */
export function instanceList(instances = 40): string {
  const pick = sequence(29);
  const id = (prefix: string) => `${prefix}-0${hexText(pick, 16)}`;
  const Reservations = Array.from({ length: instances }, (_, index) => ({
    Groups: [],
    Instances: [
      {
        ImageId: id('ami'),
        InstanceId: id('i'),
        InstanceType: ['t3.micro', 'm5.large', 'c5.xlarge'][index % 3],
        LaunchTime: `2026-02-${10 + (index % 18)}T08:00:00+00:00`,
        Placement: { AvailabilityZone: `eu-north-1${'abc'[index % 3]}`, GroupName: '', Tenancy: 'default' },
        State: index % 7 === 3 ? { Code: 80, Name: 'stopped' } : { Code: 16, Name: 'running' },
        BlockDeviceMappings: [{ DeviceName: '/dev/xvda', Ebs: { Status: 'attached', VolumeId: id('vol') } }],
        NetworkInterfaces: [
          {
            Attachment: { AttachmentId: id('eni-attach'), DeviceIndex: 0, Status: 'attached' },
            MacAddress: `06:aa:bb:cc:dd:${hexText(pick, 2)}`,
            NetworkInterfaceId: id('eni'),
            OwnerId: '123456789012',
            SubnetId: id('subnet'),
            VpcId: 'vpc-0aa11bb22cc33dd44',
            SourceDestCheck: true,
          },
        ],
        SecurityGroups: [{ GroupName: 'web', GroupId: id('sg') }],
        MetadataOptions: { State: 'applied', HttpTokens: 'required', HttpEndpoint: 'enabled' },
        CpuOptions: { CoreCount: 1, ThreadsPerCore: 2 },
        Hypervisor: 'xen',
        VirtualizationType: 'hvm',
      },
    ],
    OwnerId: '123456789012',
    ReservationId: id('r'),
  }));
  return JSON.stringify({ Reservations }, undefined, 2);
}

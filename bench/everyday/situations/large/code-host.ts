/** Issues, commits and packages as code hosts and registries return them. */
import { type Dice, dice, padded, times } from '../draft.ts';
import { day, ENGLISH, LOGINS, type Special, text } from './prose.ts';

function address(login: string, { below }: Dice) {
  const api = `https://api.code.example/users/${login}`;
  return {
    login,
    id: 40_000 + below(9000),
    node_id: `MDQ6VXNlcj${40_000 + below(9000)}`,
    avatar_url: `https://avatars.code.example/u/${below(90_000)}?v=4`,
    gravatar_id: '',
    url: api,
    html_url: `https://code.example/${login}`,
    followers_url: `${api}/followers`,
    gists_url: `${api}/gists{/gist_id}`,
    type: 'User',
    site_admin: false,
  };
}

export interface Issue {
  title: string;
  state: string;
  body: string;
}

/** Issues or pull requests with users, labels, reactions and all their addresses. */
export function codeHostIssues(seed: string, count: number, special: Special<Issue>) {
  const roll = dice(seed);
  return times(count, (at) => {
    const number = 900 - at;
    const api = `https://api.code.example/repos/acme/depot/issues/${number}`;
    return {
      url: api,
      repository_url: 'https://api.code.example/repos/acme/depot',
      labels_url: `${api}/labels{/name}`,
      comments_url: `${api}/comments`,
      events_url: `${api}/events`,
      html_url: `https://code.example/acme/depot/issues/${number}`,
      id: 2_400_000_000 + at * 7919,
      node_id: `I_kwDOB${roll.hex(6)}Mz${roll.hex(5).toUpperCase()}q`,
      number,
      title: roll.pick(ENGLISH.titles),
      user: address(roll.pick(LOGINS), roll),
      labels: [
        {
          id: 77_100 + roll.below(5),
          node_id: `LA_kwDO${roll.hex(8)}Zz`,
          url: 'https://api.code.example/repos/acme/depot/labels/web',
          name: roll.pick(['web', 'docs', 'bug', 'idea']),
          color: roll.hex(6),
          default: false,
        },
      ],
      state: roll.pick(['open', 'open', 'closed']),
      locked: false,
      assignee: null,
      milestone: null,
      comments: roll.below(12),
      created_at: `${day(300 - at)}T08:${padded(roll.below(60))}:00Z`,
      updated_at: `${day(303 - at)}T10:${padded(roll.below(60))}:00Z`,
      author_association: 'NONE',
      active_lock_reason: null,
      body: text(roll, ENGLISH, 4 + roll.below(6)),
      reactions: {
        url: `${api}/reactions`,
        total_count: 0,
        '+1': 0,
        '-1': 0,
        laugh: 0,
        heart: 0,
        rocket: 0,
        eyes: 0,
      },
      timeline_url: `${api}/timeline`,
      performed_via_app: null,
      ...special[at],
    };
  });
}

/** Commits with signatures and trees. */
export function commits(seed: string, count: number, special: Special<{ message: string }>) {
  const roll = dice(seed);
  return times(count, (at) => {
    const sha = roll.hex(40);
    const author = { name: roll.pick(LOGINS), email: 'dev@acme.example', date: `${day(at)}T09:00:00Z` };
    const api = `https://api.code.example/repos/acme/depot`;
    return {
      sha,
      node_id: `C_kwDOB${roll.hex(40)}`,
      commit: {
        author,
        committer: author,
        message: special[at]?.message ?? `${roll.pick(['docs', 'chore', 'feat'])}: ${roll.phrase(6)}`,
        tree: { sha: roll.hex(40), url: `${api}/git/trees/${roll.hex(40)}` },
        url: `${api}/git/commits/${sha}`,
        comment_count: 0,
        verification: {
          verified: true,
          reason: 'valid',
          signature: `-----BEGIN ${roll.hex(260)}`,
          payload: `tree ${roll.hex(120)}`,
        },
      },
      url: `${api}/commits/${sha}`,
      html_url: `https://code.example/acme/depot/commit/${sha}`,
      comments_url: `${api}/commits/${sha}/comments`,
      author: address(author.name, roll),
      parents: [{ sha: roll.hex(40), url: `${api}/commits/${roll.hex(40)}` }],
    };
  });
}

/** Builds a registry's response for one package: every version with its own manifest. */
export function packument(
  seed: string,
  versions: readonly string[],
  dependenciesOf: (version: string) => object,
) {
  const roll = dice(seed);
  const manifests = versions.map((version) => [
    version,
    {
      name: 'depot-client',
      version,
      description: 'Client of the depot service for Node and browsers',
      main: './dist/index.js',
      keywords: ['depot', 'client', 'storage', 'sync'],
      author: { name: 'Acme', email: 'dev@acme.example', url: 'https://acme.example' },
      license: 'MIT',
      repository: { type: 'git', url: 'git+https://code.example/acme/depot-client.git' },
      scripts: { build: 'tsc -p .', test: 'node --test', lint: 'lint .' },
      dependencies: dependenciesOf(version),
      engines: { node: '>=18' },
      _id: `depot-client@${version}`,
      gitHead: roll.hex(40),
      _nodeVersion: '22.4.0',
      dist: {
        integrity: `sha512-${roll.hex(84)}Aw==`,
        shasum: roll.hex(40),
        tarball: `https://registry.example/depot-client/-/depot-client-${version}.tgz`,
        fileCount: 40 + roll.below(30),
        unpackedSize: 90_000 + roll.below(90_000),
        signatures: [{ keyid: `SHA256:${roll.hex(40)}`, sig: `MEUCIQ${roll.hex(80)}` }],
      },
      _npmUser: { name: 'acme-bot', email: 'bot@acme.example' },
      _npmOperationalInternal: { host: 's3://archive', tmp: `tmp/depot-client_${version}_${roll.hex(12)}` },
      _hasShrinkwrap: false,
    },
  ]);
  return {
    _id: 'depot-client',
    name: 'depot-client',
    'dist-tags': { latest: versions.at(-1) },
    versions: Object.fromEntries(manifests),
  };
}

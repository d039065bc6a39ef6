/** Large results of MCP servers: lists of records, snapshots of pages, documentation. */
import { layOutJson } from '../../../packages/engine/src/reading/json-tree.ts';
import type { Situation } from '../situation.ts';
import { type Draft, situation, times } from './draft.ts';
import { codeHostIssues, commits, packument } from './large/code-host.ts';
import { adminTable, deployments, forum, LANGUAGES, manual, shop, type Topic } from './large/pages.ts';
import { charges, hits, pods, tickets } from './large/services.ts';

const pretty = (value: unknown) => JSON.stringify(value, undefined, 2);

/** Needed lines are those of the text as it is shown: JSON in one line is laid out. */
function large(draft: Omit<Draft, 'area' | 'tool' | 'said'> & { tool?: string; said?: string }): Situation {
  const given = { area: 'large results', tool: 'mcp__server__list', said: '', ...draft };
  const numbered = situation({ ...given, output: layOutJson(draft.output) ?? draft.output });
  return { ...numbered, output: draft.output };
}

const issues = codeHostIssues('large-issues', 34, {
  7: {
    title: 'Uploads over 2 GB arrive shorter than they were sent',
    state: 'open',
    body: 'A video of 3.1 GB is stored with 1.1 GB. The client says that the transfer was successful. No error in the log of the server.',
  },
  19: {
    title: 'Big archives are cut off',
    state: 'open',
    body: 'Sent a tar archive of 5 GB through the API, status 201, and the stored file ends after 720 MB. Nobody gets an error.',
  },
  26: {
    title: 'Upload of 4 GB fails with a timeout',
    state: 'closed',
    body: 'The proxy closes the connection after a minute and the client reports error 504.',
  },
});

const history = commits('large-commits', 60, {
  12: { message: 'fix(quota): count shared folders once' },
  33: { message: 'fix(quota): release space of deleted versions' },
  47: { message: 'fix(quota): show the limit of the group' },
});

const tracker = tickets('large-tickets', 45, {
  9: {
    summary: 'Perte de données lors de la restauration',
    status: 'Ouvert',
    description:
      "Après la restauration d'une sauvegarde, les pièces jointes des notes manquent. Aucun message d'erreur.",
  },
  31: {
    summary: 'Restauration : dossiers vides',
    status: 'En cours',
    description: 'La restauration crée les dossiers mais pas les fichiers de plus de 100 Mo.',
  },
});

const cluster = pods('large-pods', 26, {
  14: {
    name: 'payments-7c9f6d5b8-x2x9q',
    ready: false,
    reason: 'CrashLoopBackOff',
    message: 'back-off 5m0s restarting failed container=payments',
    restarts: 57,
  },
});

const TOPICS =
  'Installation,Accounts,Groups,Calendar,Contacts,Themes,Mail,Search,Previews,Sharing,Notifications,Mobile clients,Desktop client,Logging,Backups,Upgrades,Translations,Branding,Proxy servers,Glossary'.split(
    ',',
  );
const QUOTA: Topic = {
  title: 'Limits of space',
  lines: [
    'Every account has a limit of space. The setting `limits.trash_share` says how much of it the trash may take.',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    '| `limits.space` | 10 GB | space of one account |',
    '| `limits.trash_share` | 50 | percent of the space that deleted files may take |',
    '',
    'Deleted files are removed for good when the trash needs more than its share.',
  ],
};
const topicsWith = (titles: readonly string[], at: number, topic: Topic): Topic[] => [
  ...titles.slice(0, at).map((title) => ({ title })),
  topic,
  ...titles.slice(at).map((title) => ({ title })),
];

const RECORDS_AND_PAGES: readonly Situation[] = [
  large({
    id: 'issues-short-uploads',
    task: 'Which open issues report that a large file is stored shorter than it was sent, without an error?',
    output: pretty(issues),
    needed: [
      '"number": 893',
      '"number": 881',
      'Uploads over 2 GB arrive shorter',
      'Big archives are cut off',
      '3.1 GB is stored',
      'ends after 720 MB',
    ],
    why: 'Number, title and text of two issues.',
  }),
  large({
    id: 'commits-quota',
    task: 'Quels commits corrigent le calcul du quota ? Donne leurs sha.',
    output: JSON.stringify(history),
    needed: ['fix(quota)', ...[12, 33, 47].map((at) => `"sha": "${history[at]?.sha}"`)],
    why: 'Sha and message of three commits.',
  }),
  large({
    id: 'tickets-restore',
    task: 'Quels tickets parlent de fichiers perdus après une restauration, et dans quel état sont-ils ?',
    output: JSON.stringify(tracker),
    needed: [
      '"key": "DEP-791"',
      '"key": "DEP-769"',
      'Perte de données',
      'Restauration : dossiers vides',
      'pièces jointes des notes manquent',
      '100 Mo',
    ],
    why: 'Key, summary and description of two tickets.',
  }),
  large({
    id: 'pods-payments',
    task: 'Payments do not go through. Is the payments pod healthy, and if not, why?',
    output: pretty(cluster),
    needed: ['"name": "payments-7c9f6d5b8-x2x9q"', 'CrashLoopBackOff', 'back-off 5m0s', '"restartCount": 57'],
    why: 'State of one container.',
  }),
  large({
    id: 'shop-glacier',
    task: 'Put the Glacier 45 in green into the cart.',
    tool: 'mcp__browser__snapshot',
    output: shop('large-shop', 70, { 41: 'Glacier 45' }),
    needed: [['heading "Glacier 45"', 'button "Add to cart"']],
    why: 'The controls of one product.',
  }),
  large({
    id: 'admin-owner',
    task: 'Open the form to edit the account of petra.w',
    tool: 'mcp__browser__snapshot',
    output: adminTable('large-admin', 110, {
      73: ['petra.w', 'petra.w@acme.example', 'Owner', 'active', 'Edit'],
    }),
    needed: [['row "petra.w', 'button "Edit"']],
    why: 'The button in one row.',
  }),
  large({
    id: 'docs-trash',
    task: 'Which setting limits how much space deleted files may take, and what is its default?',
    tool: 'WebFetch',
    output: manual('large-docs', {
      topics: topicsWith(TOPICS, 13, QUOTA),
      language: LANGUAGES.english,
      layout: 'markdown',
    }),
    needed: ['| `limits.trash_share`'],
    why: 'One row of a table in one section.',
  }),
  large({
    id: 'docs-underlined',
    task: 'How do I change the interval of the health check behind a proxy?',
    tool: 'WebFetch',
    output: manual('large-docs-rst', {
      topics: topicsWith(TOPICS, 5, {
        title: 'Health checks',
        lines: [
          'The proxy asks for `/healthz` every ten seconds.',
          '',
          'To change the interval of the health check set `proxy.health_interval` to a number of seconds and restart the proxy.',
        ],
      }),
      language: LANGUAGES.english,
      layout: 'underlined',
    }),
    needed: ['proxy.health_interval'],
    why: 'One sentence of one section.',
  }),
  large({
    id: 'docs-zh',
    task: '怎样设置回收站文件的保留天数？',
    tool: 'WebFetch',
    output: manual('large-docs-zh', {
      topics: topicsWith(
        '安装,账号,群组,日历,联系人,主题,邮件,搜索,预览,共享,通知,移动客户端,桌面客户端,日志,备份,升级,翻译,品牌,代理服务器,词汇表,接口,审计,许可证,常见问题,路线图,贡献指南'.split(
          ',',
        ),
        9,
        {
          title: '回收站',
          lines: [
            '删除的文件先进入回收站。',
            '',
            '设置 `trash.days` 决定回收站文件的保留天数，默认值为 30。',
          ],
        },
      ),
      language: LANGUAGES.chinese,
      layout: 'markdown',
    }),
    needed: ['`trash.days`'],
    why: 'One sentence of one section.',
  }),
];

const VERSIONS = times(40, (at) => `${2 + Math.floor(at / 10)}.${at % 10}.${at % 3}`);
const paymentList = charges('large-charges', 40, {
  17: {
    amount: 8450,
    status: 'failed',
    description: 'Order 5017',
    failure_message: 'Your card was declined: insufficient funds.',
  },
});

const MORE: readonly Situation[] = [
  large({
    id: 'registry-dependency',
    task: 'In which version did depot-client begin to depend on tiny-queue, and in what range?',
    output: JSON.stringify(
      packument('large-registry', VERSIONS, (version) => ({
        'safe-parse': '^2.0.0',
        ...(Number(version[0]) >= 4 && { 'tiny-queue': '^1.4.0' }),
      })),
    ),
    needed: [['"4.0.2": {', '"version"'], '"tiny-queue"'],
    why: 'The first version that has the dependency.',
  }),
  large({
    id: 'search-certificate',
    task: 'Find a page that says how to renew the certificate of the sync server without a restart.',
    output: pretty(
      hits('large-hits', 30, {
        16: {
          title: 'Renew certificates of the sync server',
          snippet:
            'Replace the certificate files and send SIGHUP: the sync server reads its certificate again without a restart.',
        },
      }),
    ),
    needed: ['"title": "Renew certificates', 'send SIGHUP'],
    why: 'Title and snippet of one hit.',
  }),
  large({
    id: 'charge-declined',
    task: 'Pourquoi le paiement de la commande 5017 a-t-il échoué ?',
    output: JSON.stringify(paymentList),
    needed: ['"description": "Order 5017"', 'insufficient funds', '"status": "failed"'],
    why: 'The message of one charge.',
  }),
  large({
    id: 'forum-answer',
    task: 'Quelle solution a été trouvée dans ce fil pour la sauvegarde incomplète ?',
    tool: 'mcp__browser__snapshot',
    output: forum('large-forum', 60, {
      38: 'Résolu : la sauvegarde incomplète venait du délai du verrou. Avec `lock_timeout = 600` dans depot.toml la sauvegarde est complète.',
    }),
    needed: ['lock_timeout = 600'],
    why: 'One message of a thread.',
  }),
  large({
    id: 'docs-fr',
    task: 'Comment limiter le débit des envois par utilisateur ?',
    tool: 'WebFetch',
    output: manual('large-docs-fr', {
      topics: topicsWith(
        'Installation,Comptes,Groupes,Calendrier,Contacts,Thèmes,Courriel,Recherche,Aperçus,Partage,Notifications,Clients mobiles,Client de bureau,Journaux,Sauvegardes,Mises à jour,Traductions,Identité visuelle,Serveurs mandataires,Glossaire'.split(
          ',',
        ),
        11,
        {
          title: 'Débit',
          lines: [
            'Le débit des envois se limite par utilisateur avec `uploads.rate_per_user`, en kilo-octets par seconde.',
            '',
            'Sans valeur, le débit est libre.',
          ],
        },
      ),
      language: LANGUAGES.french,
      layout: 'markdown',
    }),
    needed: ['`uploads.rate_per_user`'],
    why: 'One sentence of one section.',
  }),
  large({
    id: 'deployments-image',
    task: 'Which image does the reports deployment run, and with what memory limit?',
    output: deployments(
      'large-deployments',
      'cart search mailer stock reports gateway orders payments importer exporter scheduler billing audit media geo auth cron bridge'.split(
        ' ',
      ),
      { reports: { image: 'registry.example/shop/reports:5.1-rc2', limit: '192Mi' } },
    ),
    needed: ['reports:5.1-rc2', 'memory: 192Mi', '    name: reports'],
    why: 'Image and limit of one deployment.',
  }),
  large({
    id: 'pulls-title',
    task: 'Is there already a pull request that adds a Dutch translation?',
    output: pretty(
      codeHostIssues('large-pulls', 30, {
        21: {
          title: 'Add a Dutch translation of the settings',
          state: 'open',
          body: 'Translates all labels of the settings into Dutch.',
        },
      }),
    ),
    needed: ['"number": 879', 'Add a Dutch translation', '"state": "open"'].slice(0, 2),
    why: 'Number and title of one request.',
  }),
  large({
    id: 'shop-fr',
    task: 'Quel est le prix du sac Ardoise 30 ?',
    tool: 'mcp__browser__snapshot',
    output: shop('large-shop-fr', 60, { 22: 'Ardoise 30' }),
    needed: [['heading "Ardoise 30"', 'text: €']],
    why: 'The price of one product.',
  }),
];

export const LARGE: readonly Situation[] = [...RECORDS_AND_PAGES, ...MORE];

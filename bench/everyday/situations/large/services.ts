/** Tickets, charges, search results and pods as services return them. */
import { dice, padded, times } from '../draft.ts';
import { day, ENGLISH, FRENCH, LOGINS, type Special, text } from './prose.ts';

export interface Ticket {
  summary: string;
  status: string;
  description: string;
}

/** A search of a tracker: custom fields, avatars in four sizes, rank keys. */
export function tickets(seed: string, count: number, special: Special<Ticket>) {
  const roll = dice(seed);
  const base = 'https://suivi.example/rest/api/2';
  const icon = (name: string) => ({
    self: `${base}/priority/${name}`,
    iconUrl: `https://suivi.example/images/${name}.svg`,
    name,
    id: '3',
  });
  return {
    expand: 'schema,names',
    startAt: 0,
    maxResults: count,
    total: 412,
    issues: times(count, (at) => {
      const {
        summary = roll.pick(FRENCH.titles),
        status = roll.pick(['Ouvert', 'En cours', 'Fermé']),
        description = text(roll, FRENCH, 3 + roll.below(5)),
      } = special[at] ?? {};
      const login = roll.pick(LOGINS);
      const person = {
        self: `${base}/user?accountId=${roll.hex(24)}`,
        accountId: roll.hex(24),
        avatarUrls: {
          '48x48': `https://avatar.example/${roll.hex(32)}?s=48`,
          '24x24': `https://avatar.example/${roll.hex(32)}?s=24`,
        },
        displayName: login,
        active: true,
        timeZone: 'Europe/Paris',
      };
      return {
        expand: 'operations,versionedRepresentations,editmeta,changelog',
        id: String(10_400 + at),
        self: `${base}/issue/${10_400 + at}`,
        key: `DEP-${800 - at}`,
        fields: {
          summary,
          status: {
            self: `${base}/status/3`,
            description: '',
            iconUrl: 'https://suivi.example/images/status.png',
            name: status,
            id: '3',
          },
          priority: icon(roll.pick(['Haute', 'Moyenne', 'Basse'])),
          assignee: person,
          reporter: person,
          customfield_10019: `0|i00${roll.hex(4)}:`,
          customfield_10020: null,
          customfield_10034: null,
          customfield_10041: null,
          aggregatetimeestimate: null,
          created: `${day(at)}T08:00:00.000+0200`,
          description,
        },
      };
    }),
  };
}

export interface Charge {
  amount: number;
  status: string;
  description: string;
  failure_message: string | null;
}

/** Charges of a payment provider. */
export function charges(seed: string, count: number, special: Special<Charge>) {
  const roll = dice(seed);
  const key = (prefix: string) => `${prefix}_${roll.hex(12)}${roll.hex(6).toUpperCase()}x`;
  return {
    object: 'list',
    url: '/v1/charges',
    has_more: false,
    data: times(count, (at) => ({
      id: key('ch'),
      object: 'charge',
      amount: 900 + roll.below(12_000),
      amount_captured: 0,
      amount_refunded: 0,
      application: null,
      balance_transaction: key('txn'),
      billing_details: {
        address: { city: null, country: null, line1: null, postal_code: null },
        email: `customer${at}@mail.example`,
        name: null,
        phone: null,
      },
      captured: true,
      created: 1_760_000_000 + at * 977,
      currency: 'eur',
      description: `Order ${5000 + at}`,
      disputed: false,
      failure_code: null,
      failure_message: null,
      fraud_details: {},
      livemode: true,
      metadata: { order: String(5000 + at) },
      outcome: {
        network_status: 'approved_by_network',
        reason: null,
        risk_level: 'normal',
        risk_score: roll.below(40),
        seller_message: 'Payment complete.',
        type: 'authorized',
      },
      paid: true,
      payment_intent: key('pi'),
      payment_method: key('pm'),
      payment_method_details: {
        card: {
          brand: 'visa',
          checks: { cvc_check: 'pass' },
          exp_month: 1 + roll.below(12),
          exp_year: 2028,
          fingerprint: key('fp'),
          last4: padded(roll.below(9999), 4),
          network: 'visa',
        },
        type: 'card',
      },
      receipt_url: `https://pay.example/receipts/${roll.hex(60)}`,
      refunded: false,
      status: 'succeeded',
      transfer_data: null,
      ...special[at],
    })),
  };
}

/** Results of a search service. */
export function hits(seed: string, count: number, special: Special<{ title: string; snippet: string }>) {
  const roll = dice(seed);
  return {
    searchParameters: { q: 'depot client', type: 'search', engine: 'web' },
    organic: times(count, (at) => ({
      position: at + 1,
      title: roll.pick(ENGLISH.titles),
      link: `https://forum.example/t/${roll.hex(10)}?utm_source=search&utm_campaign=${roll.hex(12)}`,
      displayed_link: 'https://forum.example › t',
      favicon: `https://serp.example/searches/${roll.hex(24)}/images/${roll.hex(32)}.png`,
      cached_page_link: `https://cache.example/search?q=cache:${roll.hex(12)}`,
      snippet: text(roll, ENGLISH, 3),
      content: text(roll, ENGLISH, 8),
      score: 0.9 - at * 0.01,
      ...special[at],
    })),
  };
}

export interface Pod {
  name: string;
  ready: boolean;
  reason: string;
  message: string;
  restarts: number;
}

/** Pods as the API returns them. */
export function pods(seed: string, count: number, special: Special<Pod>) {
  const roll = dice(seed);
  return {
    kind: 'List',
    apiVersion: 'v1',
    metadata: { resourceVersion: '' },
    items: times(count, (at) => {
      const {
        name = `${roll.pick(['cart', 'search', 'mailer', 'stock'])}-${roll.hex(9)}-${roll.hex(5)}`,
        ready = true,
        reason,
        message,
        restarts = 0,
      } = special[at] ?? {};
      const app = name.split('-')[0];
      const waiting = { waiting: { reason, message } };
      return {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: {
          name,
          namespace: 'shop',
          uid: `${roll.hex(8)}-${roll.hex(4)}-${roll.hex(4)}-${roll.hex(12)}`,
          resourceVersion: String(88_000_000 + at * 31),
          creationTimestamp: `${day(at)}T06:00:00Z`,
          labels: { app, 'pod-template-hash': roll.hex(10) },
          managedFields: [
            {
              manager: 'kube-controller-manager',
              operation: 'Update',
              fieldsV1: {
                'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
                'f:spec': { 'f:containers': {}, 'f:dnsPolicy': {} },
              },
            },
          ],
          ownerReferences: [
            {
              apiVersion: 'apps/v1',
              kind: 'ReplicaSet',
              name: `${app}-${roll.hex(9)}`,
              uid: roll.hex(32),
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        spec: {
          volumes: [
            {
              name: 'kube-api-access',
              projected: {
                sources: [{ serviceAccountToken: { expirationSeconds: 3607, path: 'token' } }],
                defaultMode: 420,
              },
            },
          ],
          containers: [
            {
              name: app,
              image: `registry.example/shop/${app}:4.2`,
              resources: { limits: { memory: '512Mi' } },
              terminationMessagePath: '/dev/termination-log',
              imagePullPolicy: 'IfNotPresent',
            },
          ],
          restartPolicy: 'Always',
          dnsPolicy: 'ClusterFirst',
          schedulerName: 'default-scheduler',
          tolerations: [
            {
              key: 'node.kubernetes.io/not-ready',
              operator: 'Exists',
              effect: 'NoExecute',
              tolerationSeconds: 300,
            },
          ],
        },
        status: {
          phase: 'Running',
          conditions: [
            { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: `${day(at)}T06:01:00Z` },
          ],
          hostIP: `10.0.0.${roll.below(9)}`,
          podIP: `10.42.1.${at}`,
          containerStatuses: [
            {
              name: app,
              ready,
              restartCount: restarts,
              image: `registry.example/shop/${app}:4.2`,
              imageID: `registry.example/shop/${app}@sha256:${roll.hex(64)}`,
              containerID: `containerd://${roll.hex(64)}`,
              state: ready ? { running: { startedAt: `${day(at)}T06:01:00Z` } } : waiting,
            },
          ],
          qosClass: 'Burstable',
        },
      };
    }),
  };
}

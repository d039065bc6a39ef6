import { expect, it } from 'vitest';
import { hostList } from '../../../packages/serving/src/config/values.ts';

const origin = { env: {}, cwd: '/', platform: 'linux', homeDir: '/' } as const;

it('[W6] hostList reads a list of host names or names separated by commas', () => {
  expect(hostList.read('a.example, 10.0.0.7', origin)).toEqual({
    kind: 'read',
    value: ['a.example', '10.0.0.7'],
  });
  expect(hostList.read(['a.example'], origin)).toEqual({ kind: 'read', value: ['a.example'] });
  for (const raw of ['http://a.example', 'a b', 'a,,b', 7, ['a/b'], [7]]) {
    expect(hostList.read(raw, origin)).toMatchObject({ kind: 'bad' });
  }
});

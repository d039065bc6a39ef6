import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { startFocus } from '../../../support/focus.ts';
import { SOURCE } from '../../../support/hook-events.ts';
import { spawnSecateur, temporaryFolder } from '../../../support/secateur-cli.ts';
import { temporaryTree } from '../../../support/temporary-tree.ts';

const ASK = 'How long is the delay of retryDelay for each attempt?';

describe('focus tools that return text alone', () => {
  it('[F18] read in text-only mode numbers the lines of a whole or pruned file, and writes short markers for gaps', async () => {
    const root = await temporaryTree({ 'a.ts': SOURCE, 'b.ts': 'one\ntwo\n' });
    const focus = await startFocus({ root, endpoint: 'embedded', textOnly: true });
    const whole = await focus.call('read', { path: 'b.ts' });
    expect(whole).toEqual({ content: [{ type: 'text', text: '1│ one\n2│ two' }] });
    const pruned = await focus.call('read', { path: 'a.ts', context_focus_question: ASK });
    const line = SOURCE.split('\n').indexOf('  return 100 * 2 ** attempt;') + 1;
    expect(pruned.content[0]?.text).toContain(`${line}│   return 100 * 2 ** attempt;`);
    expect(pruned.content[0]?.text).toMatch(/^✂ prn_/);
    expect(pruned.structuredContent).toBeUndefined();
  });

  it('[F17] grep in text-only mode returns matches as path:line:text', async () => {
    const root = await temporaryTree({ 'a.ts': SOURCE });
    const focus = await startFocus({ root, textOnly: true });
    const { content } = await focus.call('grep', { pattern: 'retryDelay', paths: ['.'] });
    const line = SOURCE.split('\n').findIndex((text) => text.includes('retryDelay')) + 1;
    expect(content[0]?.text).toBe(`a.ts:${line}:export function retryDelay(attempt: number): number {`);
  });
});

describe('secateur mcp focus', () => {
  it('[F15] [F16] [F18] [F19] `secateur mcp focus` works in its working directory, prunes long output, and hints at recovery', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'src'));
    const long = Array.from({ length: 40 }, (_, part) =>
      SOURCE.replaceAll('waterFloor', `water${part}Floor`),
    );
    writeFileSync(join(cwd, 'src/long.ts'), long.join('\n'));
    expect(long.join('\n').length).toBeGreaterThan(262_144);
    const env = { JEEVES_PRUNER_TIMEOUT_MS: '30000' };
    const call = caller(spawnSecateur(['mcp', 'focus'], { cwd, env }));
    const path = join(cwd, 'src/long.ts');
    const { result } = await call('read', { path, context_focus_question: ASK });
    expect(result?.structuredContent).toBeUndefined();
    const text = result?.content[0]?.text ?? '';
    expect(text).toMatch(/^✂ prn_/);
    expect(text).toContain('│   return 100 * 2 ** attempt;');
    const prune_id = /prn_[0-9A-Z]+/.exec(text)?.[0];
    const back = await call('recover_text', { prune_id, ranges: [{ start_line: 5, end_line: 5 }] });
    expect(back.result?.content[0]?.text).toContain(`5│ ${long.join('\n').split('\n')[4]}`);
    const lost = await call('recover_text', {
      prune_id: 'prn_0000000000',
      ranges: [{ start_line: 5, end_line: 5 }],
    });
    expect(lost.error?.message).toContain('Read or run the source again');
  });
});

describe('an output larger than the pruner accepts', () => {
  it('[F16] an output larger than the pruner accepts is pruned by the embedded engine, and every line can be recovered', {
    timeout: 120_000,
  }, async () => {
    const cwd = temporaryFolder();
    const lines = Array.from(
      { length: 9000 },
      (_, at) => `${at} INFO the plant of floor ${at % 97} ${'is fine '.repeat(30)}`,
    );
    lines[4321] = 'ERROR the watering can of floor 7 lost its connection';
    const text = lines.join('\n');
    expect(text.length).toBeGreaterThan(2_097_152);
    writeFileSync(join(cwd, 'watering.log'), text);
    const env = { JEEVES_PRUNER_TIMEOUT_MS: '30000' };
    const call = caller(spawnSecateur(['mcp', 'focus'], { cwd, env }));
    const ask = { context_focus_question: 'Why did the watering can of floor 7 lose its connection?' };
    const { result } = await call('read', { path: 'watering.log', ...ask });
    const shown = result?.content[0]?.text ?? '';
    expect(shown.length).toBeLessThan(text.length / 5);
    expect(shown).toContain('4322│ ERROR the watering can of floor 7 lost its connection');
    const prune_id = /prn_[0-9A-Z]+/.exec(shown)?.[0];
    const ranges = [{ start_line: 8000, end_line: 8000 }];
    const back = await call('recover_text', { prune_id, ranges, include_line_numbers: false });
    expect(back.result?.content[0]?.text).toContain(lines[7999]);
  });

  it('[F16] an output above maxPruneInputBytes is returned unchanged with the reason too_large', async () => {
    const root = await temporaryTree({ 'a.ts': SOURCE });
    const focus = await startFocus({ root, endpoint: 'embedded', maxPruneInputBytes: 1000 });
    const { structuredContent } = await focus.call('read', { path: 'a.ts', context_focus_question: ASK });
    expect(structuredContent).toMatchObject({ pruning: { reason: 'too_large', applied: false } });
  });
});

interface Answer {
  readonly result?: { readonly content: { text: string }[]; readonly structuredContent?: object };
  readonly error?: { readonly message: string };
}

function caller(child: ReturnType<typeof spawnSecateur>) {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (name: string, args: object): Promise<Answer> => {
    const params = { name, arguments: args };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    return JSON.parse((await lines.next()).value);
  };
}

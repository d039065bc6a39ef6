import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { githubLines, sarifOf } from '../../../packages/reverse-spec/src/cli/commands/check.ts';
import type { CheckReport } from '../../../packages/reverse-spec/src/spec/check.ts';
import { parseRules } from '../../../packages/reverse-spec/src/spec/drift/rules.ts';

const report: CheckReport = {
  generatedAt: '2026-01-01T00:00:00.000Z',
  specs: 1,
  summary: { totalChanges: 1, high: 1, medium: 0, low: 0, additions: 0, removals: 1, modifications: 0 },
  items: [
    {
      id: 'drift-001',
      severity: 'HIGH',
      category: 'export',
      changeType: 'removal',
      symbolName: 'a,b',
      location: 'src/a b.ts:7',
      description: 'gone\n::error::forged',
      proposedUpdate: 'x',
      detectedBy: 'structural',
      specPath: 'specs/a.spec.md',
    },
  ],
  filteredNoise: 0,
  unreadable: [],
  failures: [{ specPath: 'specs/b.spec.md', reason: 'damaged' }],
};

describe('[R63] output formats of check for CI', () => {
  it('check prints one GitHub annotation per finding with file and line, and escapes text that looks like a command', () => {
    expect(githubLines(report)).toEqual([
      '::error file=src/a b.ts,line=7,title=removal a%2Cb::gone%0A::error::forged',
      '::error file=specs/b.spec.md::damaged',
    ]);
  });

  it('check prints SARIF 2.1.0 with rules, levels, locations and failures', () => {
    const { version, runs } = sarifOf(report);
    expect(version).toBe('2.1.0');
    expect(runs[0]).toMatchObject({
      tool: { driver: { name: 'reverse-spec', rules: [{ id: 'export/removal' }] } },
      invocations: [{ executionSuccessful: false }],
      results: [
        {
          ruleId: 'export/removal',
          level: 'error',
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/a%20b.ts' }, region: { startLine: 7 } } },
          ],
        },
      ],
    });
  });

  it('parseRules reads every line of the documented example of an ignore file', () => {
    const text = readFileSync(new URL('../../../examples/ci/reverse-spec-ignore', import.meta.url), 'utf8');
    expect(parseRules(text)).toMatchObject({
      ignorePaths: ['src/generated/**'],
      ignoreSymbols: ['Internal*'],
    });
  });
});

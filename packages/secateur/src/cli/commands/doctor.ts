import { defineCommand } from '@secateur/serving/commands/command.ts';
import { FAILURE, SUCCESS } from '@secateur/serving/commands/exit-codes.ts';
import { type Paint, printableJson } from '@secateur/serving/commands/terminal.ts';
import { examine, examineSettings, type Finding } from '../doctor/examine.ts';
import { examineClient } from '../doctor/examine-client.ts';

export const doctor = defineCommand({
  usage: '[CLIENT] [--json]',
  details:
    'Checks this machine and these settings, and says what does not work and how to fix it. With a CLIENT it sends a sample event through the hook installed there and shows what the agent would see; hooks that point to an earlier installation are renewed.',
  sections: ['pruner', 'focus', 'gateway', 'recovery', 'wire', 'hook', 'audit'],
  flagPrefixes: { pruner: 'pruner', focus: 'focus', gateway: 'gateway', hook: false, audit: false },
  reportsWarnings: true,
  defaults: { recovery: { store: 'embedded' }, focus: { port: 8008, prunerEndpoint: 'embedded' } },
  options: { json: { type: 'boolean', doc: 'the findings as JSON' } },
  positionals: { min: 0, max: 1 },
  examples: [
    { line: 'secateur doctor', does: 'before the first `secateur up`, or if something does not work' },
    { line: 'secateur doctor claude-code', does: 'what the agent would see of a test run' },
  ],
  exitCodes: { [FAILURE]: 'something would not work' },
  run: async ({ config, files, warnings, options, positionals, terminal, origin, self }) => {
    const [client] = positionals;
    const findings = [
      ...examineSettings(files, warnings),
      ...(client === undefined ? await examine(config) : await examineClient(client, { origin, self })),
    ];
    if (options.json) terminal.line(printableJson(JSON.stringify(findings)));
    else for (const finding of findings) terminal.line(describe(finding, terminal.paint));
    return findings.some(({ state }) => state === 'broken') ? FAILURE : SUCCESS;
  },
});

const SIGNS = { fine: ['green', '✓'], note: ['yellow', '!'], broken: ['red', '✗'] } as const;

function describe({ what, state, found, advice }: Finding, paint: Paint): string {
  const [colour, sign] = SIGNS[state];
  const line = `${paint(colour, sign)} ${what}: ${found}`;
  return advice === undefined ? line : `${line}\n    ${paint('dim', advice)}`;
}

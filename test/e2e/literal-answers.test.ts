import { describe, expect, it } from 'vitest';
import { claudeCode } from '../../packages/secateur/src/servers/hooks/clients/claude-code.ts';
import { answerEvent } from '../../packages/secateur/src/servers/hooks/hook.ts';
import { runPruner } from '../secateur/servers/pruner/running-pruner.ts';
import { startFocus } from '../support/focus.ts';
import { claudeEvent, claudeTranscript, testHook, userSays } from '../support/hook-events.ts';
import { temporaryTree } from '../support/temporary-tree.ts';

const COMMENTED = [
  'target',
  'lib',
  'jsx',
  'declaration',
  'declarationMap',
  'sourceMap',
  'outDir',
  'rootDir',
  'composite',
  'incremental',
  'removeComments',
  'noEmit',
  'importHelpers',
  'downlevelIteration',
  'isolatedModules',
  'allowSyntheticDefaultImports',
  'esModuleInterop',
  'forceConsistentCasingInFileNames',
];
const TSCONFIG = [
  '{',
  '  "compilerOptions": {',
  ...COMMENTED.slice(0, 9).map((name) => `    "${name}": false /* What the compiler does about ${name}. */,`),
  '    "module": "nodenext",',
  ...COMMENTED.slice(9).map((name) => `    "${name}": false /* What the compiler does about ${name}. */,`),
  '    "strict": true',
  '  },',
  '  "include": ["src"]',
  '}',
].join('\n');

const FOLDERS = [
  'billing',
  'catalogue',
  'checkout',
  'identity',
  'shipping',
  'warehouse',
  'reports',
  'search',
];
const LISTING = [
  'total 220',
  ...FOLDERS.map((name) => `drwxr-xr-x  9 me me  4096 Nov  2 10:11 ${name}`),
  ...Array.from(
    { length: 40 },
    (_, at) => `-rw-r--r--  1 me me ${2000 + at} Nov  2 10:11 notes-of-day-${at}.txt`,
  ),
].join('\n');

const TESTS = Array.from({ length: 14 }, (_, at) => `  it('ships an order of kind ${at}', async () => {`);
const TEST_FILE = [
  "import { expect, it } from 'vitest';",
  '',
  ...TESTS.flatMap((test, at) => [
    test,
    ...Array.from(
      { length: 9 },
      (_, step) => `    await warehouse.prepare(order${at}, step${step}, 'padding');`,
    ),
    '  });',
    '',
  ]),
].join('\n');

const ANSWERS = [
  {
    file: 'tsconfig.json',
    text: TSCONFIG,
    question: 'which module setting?',
    answers: ['"module": "nodenext"'],
  },
  { file: 'listing.log', text: LISTING, question: 'which folders are there?', answers: FOLDERS },
  { file: 'ship.test.ts', text: TEST_FILE, question: 'which tests are there?', answers: TESTS },
];

describe.each(ANSWERS)(
  '[P28] the literal answer to "$question" of $file',
  ({ file, text, question, answers }) => {
    it('a hook keeps the literal answer to the question in the shortened file', async () => {
      const transcript_path = claudeTranscript(userSays(question));
      const response = {
        filePath: `/project/${file}`,
        content: text,
        numLines: 9,
        startLine: 1,
        totalLines: 9,
      };
      const events = [
        claudeEvent('Read', {
          tool_input: { file_path: `/project/${file}` },
          tool_response: { type: 'text', file: response },
          transcript_path,
        }),
        claudeEvent('Bash', {
          tool_input: { command: `cat ${file}` },
          tool_response: { stdout: text, stderr: '', interrupted: false, isImage: false },
          transcript_path,
        }),
      ];
      for (const event of events) {
        const answer = JSON.stringify(await answerEvent(claudeCode, event, testHook()));
        const shown = answer === '{}' ? JSON.stringify(text) : answer;
        for (const expected of answers) expect(shown).toContain(JSON.stringify(expected).slice(1, -1));
      }
    });

    it('the focus tools keep the literal answer to the question in the shortened file', async () => {
      const root = await temporaryTree({ [file]: text });
      const focus = await startFocus({ root, endpoint: 'embedded', textOnly: true, prunerTimeoutMs: 60_000 });
      const calls = [
        await focus.call('read', { path: file, context_focus_question: question }),
        await focus.call('bash', { cmd: `cat ${file}`, context_focus_question: question }),
      ];
      for (const { content } of calls)
        for (const expected of answers) expect(content[0]?.text).toContain(expected);
    });

    it('prune_text keeps the literal answer to the question in the shortened file', async () => {
      const pruner = await runPruner();
      const answer = await pruner.tool('prune_text', {
        text,
        goal_hint: question,
        source_type: file.endsWith('.log') ? 'logs' : 'code',
        options: {
          max_prune_ratio: 0.95,
          min_keep_lines: 0,
          timeout_ms: 60_000,
          annotate_lines: false,
          include_markers: true,
        },
      });
      await pruner.close();
      expect(answer.pruned_text).not.toBe(text);
      for (const expected of answers) expect(answer.pruned_text).toContain(expected);
    });
  },
);

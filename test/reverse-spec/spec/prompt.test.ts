import { expect, it } from 'vitest';
import { estimateTokens } from '../../../packages/base/src/text/token-estimate.ts';
import { promptsOf } from '../../../packages/reverse-spec/src/spec/generate.ts';
import { documentLanguages } from '../../../packages/reverse-spec/src/spec/locales.ts';
import { prepare } from '../../../packages/reverse-spec/src/spec/prepare.ts';
import { parts, project } from '../../support/spec-project.ts';

const files = {
  'README.md': '# Mux\n\nRoutes requests to handlers.\n',
  LICENSE: 'Permission is hereby granted, free of charge.\n',
  'LICENSE-MIT': 'Permission is hereby granted, free of charge.\n',
  '.github/FUNDING.yml': 'github: someone\n',
  '.editorconfig': 'root = true\n',
  'go.mod': 'module example.com/mux\n',
  'mux.go': `// Package mux routes requests.
package mux

import "errors"

type Mux struct{}

// Handle adds a handler.
func (m *Mux) Handle(pattern string) error {
	if pattern == "" {
		return errors.New("empty pattern")
	}
	return m.insert(pattern)
}

func (m *Mux) insert(pattern string) error {
	secretOfInsert := pattern
	_ = secretOfInsert
	return nil
}

func (m *Mux) again() {
	secretOfAgain := m.insert("x")
	_ = secretOfAgain
}
`,
  'mux_test.go': `package mux

import "testing"

func TestHandle(t *testing.T) {
	m := &Mux{}
	m.Handle("/")
}
`,
};
const request = { targetPath: '.', deep: false, outputDir: 'specs', astOnly: false };

async function promptFor(deep: boolean, more: Parameters<typeof parts>[1] = {}): Promise<string> {
  const [prompt = ''] = await promptsOf(
    { ...request, deep },
    parts(project(files), { language: 'en', ...more }),
  );
  return prompt;
}

it('[R76] the prompt contains the texts of the authors, then facts with file and line, and bodies only with deep', async () => {
  const prompt = await promptFor(false);
  const places = ['## What the authors wrote', '## Skeleton', '## Facts of the syntax tree: Constraints'].map(
    (title) => prompt.lastIndexOf(title),
  );
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(prompt).toContain('Routes requests to handlers.');
  expect(prompt).toMatch(/`Mux\.Handle`[^\n]*empty pattern[^\n]*pattern == ""[^\n]*mux\.go#L11/);
  expect(prompt).toContain('mux_test.go#L7');
  expect(prompt).not.toContain('secretOfInsert');
});

it('[R74] [R76] with deep, the prompt contains the bodies of functions and methods, ordered by rank', async () => {
  const prompt = await promptFor(true);
  const [insert, again] = [prompt.indexOf('secretOfInsert'), prompt.indexOf('secretOfAgain')];
  expect(insert).toBeGreaterThan(0);
  expect(again).toBeGreaterThan(insert);
});

it('[R76] the prompt never contains licences, funding files or dot files', async () => {
  const prompt = await promptFor(true);
  for (const word of ['hereby granted', 'LICENSE', 'FUNDING', 'editorconfig'])
    expect(prompt).not.toContain(word);
});

it.each(documentLanguages)(
  '[R76] the prompt has instructions and fixed text in the language of the document: %s',
  async (language) => {
    const prompt = await promptFor(true, { language });
    expect(/\p{Script=Han}/u.test(prompt)).toBe(language === 'zh');
    if (language === 'fr') expect(prompt).toContain('## Ce que les auteurs ont écrit');
    expect(estimateTokens(prompt.slice(0, prompt.indexOf('mux.go')))).toBeGreaterThan(1_024);
  },
);

it('[R76] the prompt leaves out facts and bodies that exceed its token budget', async () => {
  const { context } = await prepare(
    { targetPath: '.', deep: true },
    parts(project(files), { tokenBudget: 220, messageLanguage: 'en' }),
  );
  expect(context.tokenCount).toBeLessThanOrEqual(220);
  expect(context.truncatedParts).toContain('snippets');
  const whole = await prepare(
    { targetPath: '.', deep: true },
    parts(project(files), { messageLanguage: 'en' }),
  );
  expect(whole.context.truncated).toBe(false);
  expect(whole.context.breakdown.facts).toBeGreaterThan(0);
  expect(whole.context.prompt).toContain('secretOfInsert');
});

import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks, inlineCode } from '../markdown.ts';
import { linkTo } from '../source-link.ts';
import { conditionsText, errorText } from './fact-text.ts';

const MAX_CRITERIA = 100;

/**
 * Acceptance criteria in EARS form, `WHEN … THE … SHALL …`: one for each error that is raised under a condition. An error
 * without a condition gives none, since nothing says when it is expected.
 */
export function renderCriteria(facts: SpecFacts, words: Words): string {
  const { headings, criteria, facts: texts } = words;
  const ears = { facts: { ...texts, and: ' AND ', not: (condition: string) => `NOT ${condition}` } };
  const lines = [...facts.bodies].flatMap(([path, { facts: found }]) =>
    found
      .filter(
        ({ kind, when }) => (kind === 'raise' || kind === 'check') && when !== undefined && when.length > 0,
      )
      .map((fact) => {
        const { owner, when = [], startLine, endLine } = fact;
        const system = inlineCode(owner === '' ? (path.split('/').at(-1) ?? path) : owner);
        const place = linkTo(facts, { path, startLine, endLine });
        const response = criteria.raise(errorText(fact, words));
        return `- WHEN ${conditionsText(when, ears)} THE ${system} SHALL ${response} (${place})`;
      }),
  );
  const distinct = [...new Set(lines)];
  if (distinct.length === 0) return '';
  const left = distinct.length - MAX_CRITERIA;
  return blocks(
    `### ${headings.criteria}`,
    distinct.slice(0, MAX_CRITERIA).join('\n'),
    left > 0 ? texts.more(left) : '',
  );
}

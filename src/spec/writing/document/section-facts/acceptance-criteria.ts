import type { SpecFacts } from '../../../reading/facts.ts';
import type { Words } from '../../../words.ts';
import { blocks, inlineCode } from '../markdown.ts';
import { linkTo } from '../source-link.ts';

const MAX_CRITERIA = 100;
const NEGATED = /^!\((.*)\)$/s;

/**
 * Acceptance criteria in EARS form, `WHEN … THE … SHALL …`: one for each error that is raised under a condition. An error
 * without a condition gives none, since nothing says when it is expected.
 */
export function renderCriteria(facts: SpecFacts, { headings, criteria, facts: texts }: Words): string {
  const lines = [...facts.bodies].flatMap(([path, { facts: found }]) =>
    found
      .filter(({ kind, when }) => (kind === 'raise' || kind === 'check') && when !== undefined)
      .map(({ owner, name, text, when = '', startLine, endLine }) => {
        const system = inlineCode(owner === '' ? (path.split('/').at(-1) ?? path) : owner);
        const error = /^(?:errors|fmt)\.\w+$/.test(name) ? texts.anError : inlineCode(name);
        const message = text === '' || text === name ? '' : texts.message(inlineCode(text));
        const condition = conditionOf(when);
        const place = linkTo(facts, { path, startLine, endLine });
        return `- WHEN ${condition} THE ${system} SHALL ${criteria.raise(error)}${message} (${place})`;
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

function conditionOf(when: string): string {
  const denied = NEGATED.exec(when)?.[1];
  return denied === undefined ? inlineCode(when) : `NOT ${inlineCode(denied)}`;
}

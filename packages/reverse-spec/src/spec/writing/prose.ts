import { sectionIds } from './document/section-ids.ts';

/** A writer's text, by section. The interface section is missing on purpose: it is rendered from the AST. */
export type Prose = { [Section in ProseSection]?: string };

type ProseSection = Exclude<(typeof sectionIds)[number], 'interface'>;

export const proseSections = sectionIds.filter((id): id is ProseSection => id !== 'interface');

import { EITHER, type Neighbour, OPERAND, OPERATOR } from './state.ts';
import { CLASS, CONTEXTUAL, DECLARING, INFIX, LEADING, NAME, VOID } from './words.ts';

/** What a word of this role leaves to be expected. */
export function stateAfter(role: number): Neighbour['state'] {
  if (role === NAME || role === LEADING || role === CLASS || role === DECLARING) return OPERAND;
  return role === INFIX || role === CONTEXTUAL || role === VOID ? EITHER : OPERATOR;
}

import type { DeclarationKind } from '../structure.ts';

/**
 * One kind of line that declares or imports. A named group `name` is what it declares.
 * For declarations written the same way with different words (`class`, `struct`), the group `word` picks the kind.
 */
export interface LinePattern {
  kind: DeclarationKind | 'import' | Readonly<Record<string, DeclarationKind>>;
  /** Meets the line with every run of white space drawn together to one blank. */
  match: RegExp;
  /** Columns the line must be indented by; any when absent. */
  indent?: number;
  /** For a line that opens a list: how the next line no deeper than it must look. Calls and declarations part there. */
  closes?: RegExp;
}

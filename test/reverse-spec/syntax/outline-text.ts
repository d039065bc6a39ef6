import type { Declaration, Outline } from '../../../packages/reverse-spec/src/syntax/outline.ts';

/** Returns an outline as lines: `+` visible outside, `-` not visible; members are indented. */
export function outlineText(outline: Pick<Outline, 'declarations'>): string[] {
  return outline.declarations.flatMap((declaration) => declarationText(declaration, ''));
}

function declarationText(declaration: Declaration, indent: string): string[] {
  const { kind, exported, exportedAs, from, startLine, endLine, signature, members } = declaration;
  const names = exportedAs === undefined ? '' : ` as ${exportedAs.join(', ')}`;
  const origin = from === undefined ? '' : ` from ${from}`;
  const head = `${indent}${exported ? '+' : '-'} ${kind} ${declaration.name}${names}${origin} ${startLine}-${endLine}`;
  const text = signature.replace(/\s*\n\s*/g, ' ⏎ ');
  return [`${head}: ${text}`, ...members.flatMap((member) => declarationText(member, `${indent}  `))];
}

/** Imports, declarations and problems, as the golden files hold them. */
export function wholeOutlineText(outline: Outline): string[] {
  return [
    ...outline.imports.map(
      ({ module, names, typeOnly, startLine, endLine }) =>
        `import ${startLine}-${endLine}: ${typeOnly ? 'type ' : ''}${module} [${names.join(', ')}]`,
    ),
    ...outlineText(outline),
    ...outline.problems.map(({ line, message }) => `problem ${line}: ${message}`),
  ];
}

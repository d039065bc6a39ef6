/** `reference-observations.ts <out.json>`: the columns of our own observations in half precision, as training has them, for reference_trees.py. */
import { writeFileSync } from 'node:fs';
import { toHalf } from './half.ts';
import { ownObservations } from './own-observations.ts';

const [out = ''] = process.argv.slice(2);
const observations = ownObservations().map(({ id, lines, input: { columns, constants } }) => {
  const names = [...columns.keys(), ...Object.keys(constants)];
  const rows = Array.from({ length: lines }, (_, line) =>
    names.map((name) => toHalf(columns.get(name)?.[line] ?? constants[name] ?? 0)),
  );
  return { id, names, rows };
});
writeFileSync(out, JSON.stringify(observations));

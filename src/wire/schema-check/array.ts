import { type Check, type CompileInner, type JsonSchema, report } from './check.ts';

export function compileArray(schema: JsonSchema, place: string, compile: CompileInner): Check {
  const checkItem = compile(schema.items ?? {}, `${place}/items`);
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
  return (value, field, errors) => {
    if (!Array.isArray(value)) return report(errors, field, 'must be an array');
    if (value.length < minItems) return report(errors, field, `must have at least ${count(minItems)}`);
    if (value.length > maxItems) return report(errors, field, `must have at most ${count(maxItems)}`);
    let fits = true;
    for (const [index, item] of value.entries()) {
      if (!checkItem(item, `${field}[${index}]`, errors)) fits = false;
    }
    return fits;
  };
}

function count(items: number): string {
  return items === 1 ? '1 item' : `${items} items`;
}

export type {
  Binding,
  BodyFact,
  BodyFactKind,
  BodyFacts,
  FunctionFact,
  TypeFact,
  Typing,
  Variables,
} from './body-facts/fact.ts';

/** Types that a doc comment gives a function, in languages where parameters may have no declared type. */
export interface DocTypes {
  returns: string | undefined;
  parameters: readonly (readonly [name: string, type: string])[];
}

const END = String.raw`(?:\|null)?(?=[\s|}]|$)(?!\|)`;
const DOC_TYPES: Readonly<Record<string, { returns: RegExp; parameter: RegExp }>> = {
  php: {
    returns: new RegExp(String.raw`@return\s+\??(\$this|[\w\\]+)${END}`),
    parameter: new RegExp(String.raw`@param\s+\??(?<type>[\w\\]+)${END}\s+\$(?<name>\w+)`, 'g'),
  },
  javascript: {
    returns: /@returns?\s*\{[!?]?(?:Promise<)?([\w.]+)>?\}/,
    parameter: /@param\s*\{[!?]?(?<type>[\w.]+)=?\}\s*\[?(?<name>[\w$]+)/g,
  },
  ruby: { returns: /@return\s*\[([\w:]+)\]/, parameter: /@param\s+(?<name>\w+)\s+\[(?<type>[\w:]+)\]/g },
};

export function typesInDoc(doc: string | undefined | null, language: string): DocTypes {
  const patterns = doc?.includes('@') ? DOC_TYPES[language] : undefined;
  const text = doc ?? '';
  return {
    returns: patterns?.returns.exec(text)?.[1],
    parameters:
      patterns === undefined
        ? []
        : [...text.matchAll(patterns.parameter)].map(({ groups = {} }) => [
            groups.name ?? '',
            groups.type ?? '',
          ]),
  };
}

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

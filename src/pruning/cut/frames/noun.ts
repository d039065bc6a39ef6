/** What a declaration or a section can be called, in the two languages that gaps are described in. */
export const FRAME_NOUNS = {
  function: 'fonction',
  method: 'méthode',
  constructor: 'constructeur',
  class: 'classe',
  interface: 'interface',
  type: 'type',
  enum: 'énumération',
  struct: 'structure',
  trait: 'trait',
  implementation: 'implémentation',
  module: 'module',
  export: 'export',
  table: 'table',
  section: 'section',
  key: 'clé',
  folder: 'dossier',
  element: 'élément',
  file: 'fichier',
  commit: 'commit',
} as const;

export type FrameNoun = keyof typeof FRAME_NOUNS;

import { inLanguage, type Messages, shortMessages, type WrongArgument } from './zh.ts';

const words = inLanguage('fr', shortMessages);

const REWRITE = 'Relancez generate pour la même cible.';
const aspects = { type: 'Le type', signature: 'La signature' } as const;

const tooLarge = (bytes: number, maxBytes: number) =>
  `fichier trop grand (${bytes} octets, limite ${maxBytes}, réglée par REVERSE_SPEC_MAX_FILE_BYTES), ignoré`;

const types = { string: 'une chaîne', boolean: 'un booléen', integer: 'un entier', number: 'un nombre' };

function wrongArgument({ name, isMissing, expected }: WrongArgument): string {
  const { type, minimum, maximum, choices } = expected;
  const range = minimum === undefined || maximum === undefined ? '' : ` de ${minimum} à ${maximum}`;
  const wanted = choices === undefined ? `${types[type]}${range}` : `l’un de ${choices.join(', ')}`;
  return isMissing ? `${name} manque (${wanted})` : `${name} doit être ${wanted}`;
}

export const frMessages: Messages = {
  ...words,
  toolFailed: (tool, detail) => `échec de ${tool} : ${detail}`,
  failures: {
    invalid_arguments: ({ wrong }) => ({
      message: `arguments invalides : ${wrong.map(wrongArgument).join('; ')}`,
    }),
    internal: ({ message }) => ({ message: `erreur interne : ${message}` }),
    target_not_found: ({ path, why, length }) => {
      if (why === 'too-long')
        return { message: `chemin de la cible trop long (${length} caractères) : ${path}` };
      return {
        message: why === 'denied' ? `accès refusé à la cible : ${path}` : `la cible n'existe pas : ${path}`,
      };
    },
    not_a_source: ({ path }) => ({ message: `la cible n'est ni un fichier ni un dossier : ${path}` }),
    not_a_folder: ({ path }) => ({ message: `la racine du projet n'est pas un dossier : ${path}` }),
    no_files: ({ path }) => ({ message: `rien à lire dans : ${path}` }),
    file_too_large: ({ bytes, maxBytes }) => ({
      message: tooLarge(bytes, maxBytes),
      hint: 'REVERSE_SPEC_MAX_FILE_BYTES (reverse_spec.max_file_bytes) relève la limite.',
    }),
    ast_failed: ({ broken, unsupported, skipped }) => ({
      message: "aucun arbre syntaxique n'a pu être lu ; --deep montre les textes entiers",
      hint: `Cause : ${[
        ...(broken > 0 ? [`fichiers qui n’ont que des erreurs de syntaxe : ${broken}`] : []),
        ...(unsupported > 0 ? [`fichiers d’un langage sans analyseur : ${unsupported}`] : []),
        ...(skipped > 0 ? [`fichiers illisibles, trop grands ou binaires : ${skipped}`] : []),
      ].join(', ')}.`,
    }),
    invalid_cursor: ({ cursor }) => ({ message: `curseur invalide : ${cursor}` }),
    cursor_outdated: () => ({
      message: 'curseur périmé : la cible a changé entre deux appels',
      hint: 'Rappelez prepare sans curseur.',
    }),
    no_api_key: () => ({
      message: "ANTHROPIC_API_KEY n'est pas défini",
      hint: "Définissez ANTHROPIC_API_KEY là où reverse-spec est lancé, ou utilisez astOnly: true (--ast-only) pour n'écrire que d'après l'arbre syntaxique.",
    }),
    no_price: () => ({
      message: "le prix du modèle n'est pas connu, le coût ne peut donc pas être limité",
      hint: 'REVERSE_SPEC_PRICE (--price) donne les dollars par million de jetons, entrée/sortie : 3/15.',
    }),
    output_unwritable: ({ path }) => ({ message: `impossible d'écrire dans le dossier : ${path}` }),
    spec_not_found: ({ path }) => ({ message: `la spec n'existe pas ou ne peut être lue : ${path}` }),
    baseline_missing: ({ path }) => ({ message: `la spec n'a pas de référence : ${path}`, hint: REWRITE }),
    baseline_damaged: ({ path, damage }) => ({
      message: `la référence de la spec est abîmée (${words.damages[damage]}) : ${path}`,
      hint: REWRITE,
    }),
    not_in_baseline: ({ path }) => ({
      message: `la référence de la spec ne connaît pas ce fichier : ${path}`,
    }),
    no_specs: ({ path }) => ({
      message: `aucune spec dans : ${path}`,
      hint: 'reverse-spec batch --ast-only',
    }),
    bad_rules: ({ file, line, text, rules }) => ({
      message: `${file} : la ligne ${line} n'est pas une règle : ${text}`,
      hint: rules,
    }),
    llm_failed: ({ service, status, reason, said }) => {
      const name = service === 'anthropic' ? 'Claude API' : 'le service du modèle';
      const shown = said === undefined ? '' : ` (${said})`;
      return {
        message:
          status === undefined
            ? `${name} : ${words.reasons[reason]}`
            : `${name} a répondu ${status} : ${words.reasons[reason]}${shown}`,
        ...(status === 401 && { hint: 'La clé est-elle valide ?' }),
      };
    },
  },
  batchStages: {
    parsed: (done, total, path) => `${done}/${total} fichiers analysés : ${path}`,
    written: (done, total, label) => `${done}/${total} modules écrits : ${label}`,
    money: (cost) => (cost === null ? '' : ` ($${cost.toFixed(2)})`),
  },
  batchEnd: {
    took: (seconds, cost) =>
      `durée : ${seconds.toFixed(1)} s${cost === null ? '' : `, coût : environ $${cost.toFixed(2)}`}`,
    leftOut: (count, price, names) =>
      `omis à cause de leur coût : ${count} modules (environ $${price.toFixed(2)}) : ${names}`,
  },
  warnings: {
    brokenFiles: (count) => `${count} fichiers ont des erreurs de syntaxe ; seul le lisible est décrit`,
    unparsedFiles: (count) => `${count} fichiers n'ont pas été analysés, voir la liste des fichiers`,
    contextCut: (parts) => `contexte au-delà du budget ; laissé de côté : ${parts}`,
    contextSplit: (calls) => `squelette au-delà du budget ; réparti sur ${calls} appels`,
    answerCut: 'la réponse du modèle est tronquée',
    answerPartial: 'la réponse du modèle est incomplète',
    answerRefused: "le modèle a refusé ; écrit d'après l'arbre syntaxique seul",
    answerUnreadable: "la réponse du modèle est illisible ; écrit d'après l'arbre syntaxique seul",
    unknownNames: (names, sentence) =>
      `phrase omise, car ${names.map((name) => `\`${name}\``).join(', ')} ne figure dans aucun fichier lu : ${sentence}`,
    writtenFromTree: (cause, sections) => `${cause} ; d'après l'arbre syntaxique seul : ${sections}`,
  },
  note: (note) => (note.code === 'too-large' ? tooLarge(note.bytes, note.maxBytes) : words.notes[note.code]),
  drift: {
    ...words.drift,
    removed: (what) => `${what} a disparu du code`,
    removedUpdate: (name) => `retirer ${name} de l'interface et revoir ce qu'en dit la logique métier`,
    added: (what) => `${what} est nouveau ; la spec ne le connaît pas`,
    addedUpdate: (name) => `ajouter ${name} à l'interface`,
    renamed: (what, to) => `${what} s'appelle maintenant ${to}`,
    renamedUpdate: (from, to) => `renommer ${from} en ${to} dans la spec`,
    moved: (what, from, to) => `${what} est passé de ${from} à ${to}, signature inchangée`,
    movedUpdate: (name, to) => `${name} se trouve maintenant dans ${to}`,
    changed: (what, aspect) => `${aspects[aspect]} de ${what} a changé`,
    changedUpdate: (name, aspect) =>
      `mettre à jour ${name} dans l'interface (${aspect === 'type' ? 'nouveau type' : 'nouvelle signature'})`,
    alsoMoved: (from, to) => `, et il est passé de ${from} à ${to}`,
    stale: (claim, place) => `« ${claim} » repose sur ${place}, qui a changé`,
    staleUpdate: 'revoir cette phrase, ou réécrire la spec',
    advice: {
      high: (count) => `${count} ruptures : voyez ce qu'elles touchent, puis récrivez la spec.`,
      medium: (count) => `${count} changements d'interface : la spec est à mettre à jour.`,
      low: (count) => `Seulement ${count} ajouts ou déplacements : à reporter à l'occasion.`,
      none: 'La spec correspond au code.',
    },
    doubt: (files) =>
      ` ${files} fichiers ont des erreurs de syntaxe ou sont illisibles ; le résultat peut être incomplet.`,
    filtered: (count) => ` (${count} différences sans portée écartées)`,
    report: {
      ...words.drift.report,
      columns: ['quoi', 'valeur'],
    },
  },
  prepared: ({ files, unread, exports, tokens, cut }) =>
    `${files} fichiers (${unread} non analysés), ${exports} exports, environ ${tokens} jetons${cut === '' ? '' : ` ; laissé de côté : ${cut}`}`,
  checked: ({ specs, high, medium, low, filtered, partly }) =>
    `${specs} specs : ${high} HIGH, ${medium} MEDIUM, ${low} LOW, ${filtered} écartées${partly === 0 ? '' : `, ${partly} fichiers lus en partie`}`,
};

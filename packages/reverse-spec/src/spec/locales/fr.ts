import { frMessages } from './messages/fr.ts';
import { inLanguage } from './messages/zh.ts';
import { type LocaleStrings, shortStrings } from './zh.ts';

const words = inLanguage('fr', shortStrings);

export const fr: LocaleStrings = {
  ...words,
  headings: {
    ...words.headings,
    conflicts: 'Conflits avec le texte écrit à la main',
    orphans: 'Texte conservé dont la place a disparu',
  },
  indexIntro: (count) =>
    `${count} modules dans l’ordre des dépendances : ce dont les autres dépendent vient d’abord.`,
  areasIntro: (modules, areas) =>
    `${modules} modules dans ${areas} domaines ; la page de chaque domaine liste ses modules.`,
  implementations: (list) => `Implémentations : ${list}`,
  returnedBy: (names) => `Non exporté ; ${names} renvoie ses objets.`,
  brokenFile: (problems) =>
    `_${problems} erreur${problems === 1 ? '' : 's'} de syntaxe dans ce fichier ; voici ce qui a pu être lu._`,
  reExports: (count) => `${count} réexportation${count === 1 ? '' : 's'}`,
  notReachable: (count) =>
    `Non listées, car hors de portée des utilisateurs du paquet : ${count} déclarations.`,
  otherFiles: (paths) => `Hors sources : ${paths}.`,
  andMoreFiles: (shown, count) => `${shown} et d’autres, ${count} fichiers en tout`,
  andMorePlaces: (shown, count) => `${shown} et d’autres, ${count} emplacements en tout`,
  note: frMessages.note,
  noIntent: 'Les auteurs n’ont rien écrit à son sujet.',
  noWordsOnWhole:
    "Les auteurs n'ont rien écrit sur l'ensemble ; leurs commentaires sur ses déclarations sont ci-dessous.",
  ofWhole: (words) => `Partie d'un projet dont les auteurs disent : ${words}`,
  pathsBelow: (folder) => `Chemins relatifs à ${folder}.`,
  arrowsAreCalls: 'Une flèche est un appel : ces fichiers n’importent rien les uns des autres.',
  arrowsLeftOut: (count) => `Flèches omises car elles découlent des autres : ${count}.`,
  nodesLeftOut: (count) => `${count} autres nœuds moins reliés ne sont pas dessinés.`,
  criteria: { raise: (error) => `signaler ${error}`, pass: (error, to) => `transmettre ${error} à ${to}` },
  facts: {
    ...words.facts,
    stepRuns: (field, name) => `exécute ce que contient ${field} : ${name}`,
    stepPassesError: (error, to) => `transmet ${error} à ${to}`,
    asserted: (owner, check) => `${owner} vérifie ${check}`,
    raised: (owner, error) => `${owner} lève ${error}`,
    passedError: (owner, error, to) => `${owner} transmet ${error} à ${to}`,
    inside: (clause) => `une erreur est interceptée (${clause})`,
    passedTo: (name) => `la fonction transmise à ${name} est exécutée`,
    keptIn: (name) => `la fonction conservée dans ${name} est exécutée`,
    onEvent: (event, emitter) => `${emitter} émet ${event}`,
    nothingReturned: 'la fonction n’a pas encore renvoyé de valeur',
    isCase: (subject, label) => `${subject} vaut ${label}`,
    isNoCase: (subject) => `${subject} ne correspond à aucun autre cas`,
    places: (places) => ` (${places} endroits, sous des conditions différentes)`,
    limit: (name, value) => `Limite ${name} = ${value}`,
    environment: (name) => `Lit la variable d’environnement ${name}`,
    file: (owner, call, path) =>
      `${owner} accède à des fichiers par ${call}${path === '' ? '' : ` : ${path}`}`,
    more: (count) => `_${count} autres non listés._`,
  },
  testedExports: (named, all) => `Emplois trouvés dans les tests : ${named} des ${all} exports et méthodes.`,
  untested: (names) => `Aucun emploi trouvé dans les tests : ${names}.`,
  summary: {
    title: 'Bilan du lot',
    time: (moment, seconds) => `${moment}, ${seconds.toFixed(1)} s.`,
    counts: ({ totalModules, successful, failed, skipped, degraded }) =>
      `${totalModules} modules : ${successful} écrits, ${failed} en échec, ${skipped} inchangés, ${degraded} incomplets`,
  },
  conflicts: {
    intro:
      'Ces sections restent telles qu’une personne les a écrites. Voici ce que l’outil écrirait maintenant. Reprenez ce qui est utile, puis supprimez cette section.',
    edited: (section) => `la section « ${section} » a été modifiée à la main et reste telle quelle`,
    marked: (section) => `la section « ${section} » est marquée comme écrite à la main et reste telle quelle`,
    differs: (section) =>
      `section « ${section} » : l’outil écrirait autre chose, voir « Conflits avec le texte écrit à la main »`,
    orphaned: (place) => `« ${place} » a disparu ; le texte conservé est passé à la fin du document`,
  },
};

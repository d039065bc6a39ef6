/** Sentences and titles of made-up issues, messages and pages, in three languages; names and days. */
import { type Dice, padded, times } from '../draft.ts';

export interface Language {
  readonly titles: readonly string[];
  readonly sentences: readonly string[];
}

export const ENGLISH: Language = {
  titles: [
    'Dark mode ignores the preference of the system',
    'Listing a folder with many entries is slow',
    'Describe the handshake of the wire protocol',
    'Wrong plural in the notification mail',
    'Allow a second factor for administrators',
    'Avatar is stretched on narrow screens',
    'Keyboard shortcut for the search box',
    'Time zone is not respected in the calendar',
    'Support for ARM images',
    'Password field loses focus while typing',
    'Export of contacts has no header row',
    'Typo in the installation guide',
    'Drag and drop of several files at once',
    'Session ends after a restart of the proxy',
    'Thumbnails of vertical videos are rotated',
    'Quota warning is shown twice',
    'Translate the error pages into Polish',
    'Invitation link can be used only once',
  ],
  sentences: [
    'It happens on a fresh installation as well, with the default settings and one user.',
    'The same page works in the mobile browser, so it may be a matter of the style sheet.',
    'I could work on this if somebody tells me where the colours are defined.',
    'A short description in the manual would already help new colleagues.',
    'We see this about twice a week, always in the morning when many people sign in.',
    'The log has nothing unusual around that moment, only the normal requests.',
    'With the previous release the button was in the toolbar, now it is behind a menu.',
    'Screen readers announce the field as empty although it has a value.',
    'Our customers in Norway ask for this since spring.',
    'As a workaround we clear the cache and reload the page.',
    'The calendar shows the event one hour late after the clocks change.',
    'A virtual list, or paging with fifty entries, would keep the browser usable.',
    'The template of the mail is shared with the weekly digest, so both need the change.',
    'Steps: open the profile, choose another picture, save, and look at the sidebar.',
    'Some of the older accounts have no language set, which is probably the reason.',
    'I would expect the same order as in the desktop client.',
  ],
};

export const FRENCH: Language = {
  titles: [
    'Le thème sombre ne suit pas le système',
    'Traduire la page de connexion',
    'Le menu se ferme trop vite sur mobile',
    'Ajouter un raccourci pour la recherche',
    'Fuseau horaire faux dans le calendrier',
    'Image de profil déformée',
    'Documenter la procédure de sauvegarde',
    "Le courriel d'invitation part deux fois",
    'Colonnes du rapport mal alignées',
    'Permettre le tri par date de dépôt',
    'Message peu clair si le quota est atteint',
    'Champ de mot de passe sans libellé',
  ],
  sentences: [
    "Le problème se produit aussi sur une installation neuve, avec un seul compte d'essai.",
    'La version précédente affichait le bouton dans la barre, il est maintenant dans un menu.',
    "Le journal n'indique rien de particulier à ce moment-là.",
    'Nos collègues de Lyon demandent cette amélioration depuis le printemps.',
    'En attendant, nous vidons le cache et rechargeons la page.',
    'Une courte explication dans le manuel aiderait déjà beaucoup.',
    "Les lecteurs d'écran annoncent le champ comme vide.",
    "L'ordre devrait être le même que dans le client de bureau.",
    'Je peux proposer une correction si on me dit où se trouve la feuille de style.',
    'Le gabarit du courriel est partagé avec le résumé hebdomadaire.',
  ],
};

export const CHINESE: Language = {
  titles: [
    '深色模式不跟随系统设置',
    '登录页面的翻译不完整',
    '移动端菜单关闭得太快',
    '为搜索框增加快捷键',
    '日历中的时区不正确',
    '头像在窄屏上被拉伸',
    '补充备份步骤的文档',
    '邀请邮件发送了两次',
    '报表的列没有对齐',
    '希望按提交日期排序',
  ],
  sentences: [
    '在全新安装的环境里也会出现，只有一个测试账号。',
    '上一个版本的按钮在工具栏里，现在被移到了菜单中。',
    '当时的日志里没有任何异常，只有普通的请求。',
    '杭州的同事从春天开始就希望有这个功能。',
    '目前的办法是清空缓存并重新加载页面。',
    '在手册里加一小段说明就会有很大帮助。',
    '屏幕阅读器把这个输入框读成空白。',
    '顺序应该和桌面客户端保持一致。',
    '邮件模板与每周摘要共用，需要一起修改。',
  ],
};

export function text({ pick }: Dice, { sentences }: Language, count: number): string {
  return times(count, () => pick(sentences)).join(' ');
}

export const LOGINS = 'mira-k jonas-b ptrv selin.o hthorne wkaya dana-q ilse'.split(' ');

export function day(at: number): string {
  return `2026-${padded(1 + (Math.floor(at / 27) % 9))}-${padded(1 + (at % 27))}`;
}

/** Values at chosen places of a list that is otherwise made up. */
export type Special<Fields> = Readonly<Record<number, Partial<Fields>>>;

/** A piece of Markdown that is kept or left out as a whole, or sentence by sentence. */
export interface ProseUnit {
  kind: 'text' | 'row' | 'code' | 'frame';
  /** Indentation and list mark of a text. */
  mark: string;
  text: string;
}

const ITEM = /^(\s{0,40}(?:[-*+]|\d{1,9}[.)])\s{1,9})(.*)$/;
const FRAME = /^(?:#{1,6}\s|\*\*[^*]{1,300}\*\*:?$|[-*_]{3,}$|[\s:|-]{3,}$)/;

/** List items, paragraphs, table rows and code blocks; headings, rulers and blank lines are the frame around them. */
export function unitsOf(prose: string): ProseUnit[] {
  const units: ProseUnit[] = [];
  let fence: string | undefined;
  for (const line of prose.split(/\r?\n/)) {
    const last = units.at(-1);
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence !== undefined && last !== undefined) {
      last.text += `\n${line}`;
      if (mark?.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      units.push({ kind: 'code', mark: '', text: line });
    } else addLine(units, line);
  }
  return units;
}

function addLine(units: ProseUnit[], line: string): void {
  const last = units.at(-1);
  const item = ITEM.exec(line);
  if (line.trim() === '' || (item === null && FRAME.test(line.trim())))
    units.push({ kind: 'frame', mark: '', text: line });
  else if (item !== null) units.push({ kind: 'text', mark: item[1] ?? '', text: item[2] ?? '' });
  else if (line.trimStart().startsWith('|')) units.push({ kind: 'row', mark: '', text: line });
  else if (last?.kind === 'text') last.text += ` ${line.trim()}`;
  else units.push({ kind: 'text', mark: '', text: line });
}

/** Sentences of a text; a full stop inside backticks or brackets ends none. */
export function sentencesOf(text: string): string[] {
  const masked = text.replace(/`[^`]{0,500}`|[(（][^()（）]{0,500}[)）]/g, (part) => '_'.repeat(part.length));
  const ends = [...masked.matchAll(/[。！？]|[.!?](?= )/g)].map(({ index }) => index + 1);
  const sentences = [0, ...ends].map((start, at) => text.slice(start, ends[at] ?? text.length));
  return withEvidence(sentences.filter((sentence) => sentence.trim() !== ''));
}

/** Lines in brackets behind a full stop belong to the sentence before them. */
function withEvidence(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const isEvidence = /^\s*[(（[][^)）\]]{0,300}[)）\]][.。]?\s*$/.test(sentence);
    if (isEvidence && joined.length > 0) joined[joined.length - 1] += sentence;
    else joined.push(sentence);
  }
  return joined;
}

/** What is written in backticks. */
export function codeIn(text: string): string[] {
  return [...text.matchAll(/(`{1,5})(?!`)([^`]{1,500})\1/g)].map(([, , code = '']) => code);
}

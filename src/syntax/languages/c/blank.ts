/** As long as the text, with its line ends. */
export function blank(text: string): string {
  return text.replace(/[^\n]/g, ' ');
}

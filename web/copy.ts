import { element } from './dom.ts';

/** Into the clipboard; by the old way where the page was not loaded from this machine or over TLS. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    const written = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (written) return true;
  }
  const area = element('textarea', { 'aria-hidden': 'true' });
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}

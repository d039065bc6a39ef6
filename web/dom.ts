type Child = Node | string | undefined;

interface Properties {
  readonly class?: string;
  readonly text?: string;
  /** Attributes as they are; `undefined` leaves one out. */
  readonly [attribute: string]: string | undefined;
}

/** Builds an element. Text is always text: nothing here reads HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Properties = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined) continue;
    if (name === 'text') made.textContent = value;
    else made.setAttribute(name, value);
  }
  for (const child of children) if (child !== undefined) made.append(child);
  return made;
}

export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`no element ${id}`);
  return found;
}

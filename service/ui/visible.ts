/**
 * Characters that cannot be seen, or that turn around what follows them, are shown as escapes in everything that the page renders. Line
 * breaks and tabs stay: source and values are laid out with them.
 */
import { options, type VNode } from "preact";
import { EACH_HIDDEN, HIDDEN, shownCharacter } from "../../compiler/hidden-characters.ts";

const SHOWN_ATTRIBUTES = ["title", "aria-label"] as const;

export function visible(text: string): string {
  if (!HIDDEN.test(text)) return text;
  return text.replace(EACH_HIDDEN, (character) =>
    character === "\n" || character === "\t" ? character : shownCharacter(character),
  );
}

/** To be called once, before the first element is made: every text and every described element passes here. */
export function showHiddenCharacters(): void {
  const before = options.vnode;
  options.vnode = (vnode: VNode) => {
    // A text is an element without a type, whose props are the text.
    if (vnode.type === null && typeof vnode.props === "string") Object.assign(vnode, { props: visible(vnode.props) });
    else if (typeof vnode.type === "string") showAttributes(vnode.props as Record<string, unknown>);
    before?.(vnode);
  };
}

function showAttributes(props: Record<string, unknown>): void {
  for (const name of SHOWN_ATTRIBUTES) {
    const text = props[name];
    if (typeof text === "string") props[name] = visible(text);
  }
}

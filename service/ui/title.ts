/** The title of the tab: what the page shows, so that many tabs can be distinguished. */
import { useEffect } from "preact/hooks";
import { SERVICE } from "./rules.ts";
import { visible } from "./visible.ts";

/** Characters of a name: tabs show fewer. */
const MAX_NAME = 80;

/** `parts`: the most particular one first. */
export function useTitle(...parts: readonly string[]): void {
  const shown = parts.map((part) => (part.length > MAX_NAME ? `${part.slice(0, MAX_NAME)}…` : part));
  const title = visible([...shown, SERVICE.name].join(" – "));
  useEffect(() => {
    document.title = title;
  }, [title]);
}

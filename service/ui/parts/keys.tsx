/** The keys of the page, in a dialog that `?` opens. */
import { useEffect, useRef } from "preact/hooks";
import { address, go } from "../router.ts";

const KEYS = [
  ["j, k", "next and previous job of a list"],
  ["Enter", "open it"],
  ["/", "search jobs"],
  ["?", "show these keys"],
  ["Esc", "close this"],
] as const;

export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") dialog.current?.showModal();
      if (event.key !== "/") return;
      event.preventDefault();
      if (document.getElementById("search") === null) go(address(["jobs"]));
      requestAnimationFrame(() => document.getElementById("search")?.focus());
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
  return (
    <dialog ref={dialog} aria-label="Keys">
      <h2>Keys</h2>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Close
      </button>
    </dialog>
  );
}

/** Keys belong to what is being typed into. The editor of the playground is in a shadow: from outside, an event is one of the place of the shadow. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

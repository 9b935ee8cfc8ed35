/** Source with numbered lines, one of them marked. */
import { useEffect, useRef } from "preact/hooks";

const MAX_LINES = 5000;

export function Source({ code, line }: { readonly code: string; readonly line?: number | undefined }) {
  const box = useRef<HTMLElement>(null);
  const marked = useRef<HTMLLIElement>(null);
  // Only the box of the source moves: the reader of the page is left where he is.
  useEffect(() => {
    if (box.current === null || marked.current === null) return;
    const { top, bottom } = marked.current.getBoundingClientRect();
    const shown = box.current.getBoundingClientRect();
    if (bottom > shown.bottom) box.current.scrollTop += bottom - shown.bottom;
    else if (top < shown.top) box.current.scrollTop -= shown.top - top;
  }, [line, code]);
  const lines = code.replace(/\n$/, "").split("\n");
  return (
    <section class="source" aria-label="Source" tabIndex={0} ref={box}>
      <ol>
        {lines.slice(0, MAX_LINES).map((text, at) => (
          <li key={at} class={at + 1 === line ? "marked" : undefined} ref={at + 1 === line ? marked : null}>
            <code>{text === "" ? " " : text}</code>
          </li>
        ))}
      </ol>
      {lines.length > MAX_LINES ? <p class="quiet">{lines.length - MAX_LINES} more lines</p> : null}
    </section>
  );
}

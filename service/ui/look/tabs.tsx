/** Tabs on one line. Arrow keys, Home and End go from one to the next; the Tab key leaves them for what the chosen one shows. */
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

type TabsOf<Name extends string> = {
  /** What the tabs are about, for readers that do not see where they stand. */
  readonly label: string;
  readonly names: readonly Name[];
  readonly chosen: Name;
  readonly choose: (name: Name) => void;
  /** What the chosen one shows. */
  readonly children: ComponentChildren;
};

export function Tabs<Name extends string>({ label, names, chosen, choose, children }: TabsOf<Name>) {
  const id = useId();
  const bar = useRef<HTMLDivElement>(null);
  const idOf = (name: Name): string => `${id}-${names.indexOf(name)}`;
  const pressed = (event: KeyboardEvent) => {
    const to = tabAfter(event.key, names.indexOf(chosen));
    const next = to === null ? undefined : names.at(to % names.length);
    if (next === undefined) return;
    event.preventDefault();
    choose(next);
    document.getElementById(idOf(next))?.focus();
  };
  // On a narrow screen the bar scrolls; the page under the reader does not move.
  useEffect(() => {
    const [box, tab] = [bar.current, document.getElementById(idOf(chosen))];
    if (box === null || tab === null) return;
    const [seen, place] = [box.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (place.left < seen.left) box.scrollLeft -= seen.left - place.left;
    else if (place.right > seen.right) box.scrollLeft += place.right - seen.right;
  }, [chosen]);
  return (
    <>
      <div role="tablist" class="tabs" aria-label={label} onKeyDown={pressed} ref={bar}>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={idOf(name)}
            aria-controls={`${id}-panel`}
            aria-selected={name === chosen}
            tabIndex={name === chosen ? 0 : -1}
            onClick={() => choose(name)}
          >
            {name}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={idOf(chosen)} tabIndex={0}>
        {children}
      </div>
    </>
  );
}

function tabAfter(key: string, at: number): number | null {
  switch (key) {
    case "ArrowRight":
      return at + 1;
    case "ArrowLeft":
      return at - 1;
    case "Home":
      return 0;
    case "End":
      return -1;
    default:
      return null;
  }
}

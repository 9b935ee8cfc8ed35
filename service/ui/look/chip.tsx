/** A word with the colour of what it means; the word says it all. */
import type { ComponentChildren } from "preact";

export type Tone = "good" | "bad" | "busy" | "waits" | "idle";

type ChipOf = { readonly tone?: Tone; readonly title?: string; readonly children: ComponentChildren };

export function Chip({ tone = "idle", title, children }: ChipOf) {
  return (
    <span class={`chip ${tone}`} title={title}>
      {children}
    </span>
  );
}

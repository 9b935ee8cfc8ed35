/** A time: how long ago, and exactly on the pointer. It goes on while the page is looked at. */
import { signal } from "@preact/signals";
import { ago, exact } from "../words.ts";

const TICK_MS = 5000;
const now = signal(Date.now());
setInterval(() => {
  if (document.visibilityState === "visible") now.value = Date.now();
}, TICK_MS);

export function Time({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="quiet">never</span>;
  return (
    <time dateTime={at} title={exact(at)}>
      {ago(at, Math.max(now.value, Date.now()))}
    </time>
  );
}

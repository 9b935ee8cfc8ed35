/** A time: how long ago, and exactly on the pointer. */
import { ago, exact } from "../words.ts";

export function Time({ at }: { readonly at: string | null | undefined }) {
  if (at === null || at === undefined) return <span class="quiet">never</span>;
  return (
    <time dateTime={at} title={exact(at)}>
      {ago(at)}
    </time>
  );
}

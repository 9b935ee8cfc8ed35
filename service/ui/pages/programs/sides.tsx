/** Lines of two texts next to each other; where there is no room, below each other. */

/** Lines that stand at the same height; null: nothing does. */
export type Pair = { readonly before: string | null; readonly after: string | null };

export function Sides({ pairs }: { readonly pairs: readonly Pair[] }) {
  return (
    <div class="sides">
      {pairs.map(({ before, after }, at) => (
        <div class="pair" key={at}>
          <Line kind="bad" text={before} />
          <Line kind="added" text={after} />
        </div>
      ))}
    </div>
  );
}

/** A sign stands before each line, so that colours alone do not tell. */
export function Line({ kind, text }: { readonly kind: "added" | "bad"; readonly text: string | null }) {
  if (text === null) return null;
  return (
    <div class={kind}>
      {kind === "added" ? "+ " : "− "}
      <code>{text}</code>
    </div>
  );
}

/** Two texts next to each other, line by line; where there is no room, below each other. */
import type { Heading, Pair } from "./side-rows.ts";

export function Sides({ rows }: { readonly rows: readonly (Pair | Heading)[] }) {
  return (
    <div class="sides">
      {rows.map((row, at) =>
        "heading" in row ? (
          <p class="quiet small" key={at}>
            {row.heading}
          </p>
        ) : (
          <Both key={at} {...row} />
        ),
      )}
    </div>
  );
}

function Both({ before, after }: Pair) {
  if (before !== null && before === after)
    return (
      <div class="pair">
        <div>
          <code>{before}</code>
        </div>
        <div class="again" aria-hidden="true">
          <code>{after}</code>
        </div>
      </div>
    );
  return (
    <div class="pair">
      {before === null ? null : <Changed change="removed" text={before} />}
      {after === null ? null : <Changed change="added" text={after} />}
    </div>
  );
}

export function Changed({ change, text }: { readonly change: "added" | "removed"; readonly text: string }) {
  return (
    <div class={change === "added" ? "added" : "bad"}>
      {change === "added" ? "+ " : "− "}
      <code>{text}</code>
    </div>
  );
}

/** A graph as a list: labels with their steps, and where each leads. It says what the drawing shows, and stands alone where there is none. */
import { useState } from "preact/hooks";
import type { Diagram } from "../../../../compiler/diagram/model.ts";
import { number } from "../../words.ts";

/** Groups that are shown at once. */
const PAGE = 100;

export function GraphList({ groups, arrows }: Diagram) {
  const [shown, setShown] = useState(PAGE);
  const names = new Map(
    groups.flatMap(({ title, boxes }) =>
      boxes.map((box) => [box.id, `${title === null ? "" : `${title} `}${box.lines[0] ?? ""}`]),
    ),
  );
  const leaving = Map.groupBy(arrows, ({ from }) => from);
  return (
    <div>
      {groups.slice(0, shown).map((group) => (
        <section key={group.id === "" ? group.boxes[0]?.id : group.id}>
          {group.title === null ? null : <h3>{group.title}</h3>}
          <ol>
            {group.boxes.map((box) => (
              <li key={box.id}>
                <code>{box.lines.join(" ")}</code>
                <ul>
                  {(leaving.get(box.id) ?? []).map(({ to, text, failure }) => (
                    <li key={`${to} ${text}`} class={failure ? "bad" : "quiet"}>
                      {failure ? "on failure " : ""}
                      {text === "" ? "then" : text} → {names.get(to) ?? to}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        </section>
      ))}
      {groups.length > shown ? (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          {number(groups.length - shown)} more
        </button>
      ) : null}
    </div>
  );
}

/** The graph as a list: labels, their steps, and where each leads. */
import type { Diagram } from "../../../compiler/diagram/model.ts";

export function GraphList({ diagram }: { readonly diagram: Diagram }) {
  const names = new Map(
    diagram.groups.flatMap(({ title, boxes }) =>
      boxes.map((box) => [box.id, `${title === null ? "" : `${title} `}${box.lines[0] ?? ""}`]),
    ),
  );
  return (
    <div>
      {diagram.groups.map((group) => (
        <section key={group.id}>
          {group.title === null ? null : <h3>{group.title}</h3>}
          <ol>
            {group.boxes.map((box) => (
              <li key={box.id}>
                <code>{box.lines.join(" ")}</code>
                <ul>
                  {diagram.arrows
                    .filter(({ from }) => from === box.id)
                    .map(({ to, text, failure }) => (
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
    </div>
  );
}

/** A table that scrolls sideways by itself, also by keyboard. */
import type { ComponentChildren, Ref } from "preact";

type TableOf = {
  /** For readers that do not see what stands above it. */
  readonly label: string;
  readonly titles: readonly string[];
  /** Rows. */
  readonly children: ComponentChildren;
  readonly body?: Ref<HTMLTableSectionElement>;
};

export function Table({ label, titles, children, body }: TableOf) {
  return (
    <section class="wide" tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody {...(body === undefined ? {} : { ref: body })}>{children}</tbody>
      </table>
    </section>
  );
}

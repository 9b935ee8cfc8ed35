/** A table that scrolls sideways by itself, also by keyboard. */
import type { ComponentChildren, Ref } from "preact";

type TableOf = {
  /** For readers that do not see what stands above it. */
  readonly label: string;
  readonly titles: readonly ComponentChildren[];
  /** Rows. */
  readonly children: ComponentChildren;
  readonly body?: Ref<HTMLTableSectionElement>;
  /** On a narrow screen, a row stands as a card: first the box to choose it and the name, then the rest. */
  readonly isStacked?: boolean;
};

/** With WF_JOBS_LIST=0. */
export const NO_LISTS = "The operator of this service does not let it list jobs (WF_JOBS_LIST=0).";

export function Table({ label, titles, children, body, isStacked = false }: TableOf) {
  return (
    <section class={isStacked ? "wide stacked" : "wide"} tabIndex={0} aria-label={label}>
      <table>
        <thead>
          <tr>
            {titles.map((title, at) => (
              <th key={at} scope="col">
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

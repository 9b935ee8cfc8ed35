/** A table that scrolls sideways by itself, also by keyboard; without rows, a line that says why. */
import type { ComponentChildren, Ref } from "preact";
import type { Refused } from "../../api.ts";

type TableOf = {
  /** For readers that do not see what stands above it. */
  readonly label: string;
  readonly titles: readonly string[];
  /** Rows. */
  readonly children: ComponentChildren;
  readonly body?: Ref<HTMLTableSectionElement>;
};

/** With WF_JOBS_LIST=0. */
export const NO_LISTS = "The operator of this service does not let it list jobs (WF_JOBS_LIST=0).";

/** In place of a table that has no rows. `data`: what was asked for; null: it has not come. */
export function NoRows({
  data,
  fault,
  children,
}: {
  readonly data: object | null;
  readonly fault: Refused | null;
  readonly children: ComponentChildren;
}) {
  if (data === null) return fault === null ? <p class="quiet">loading</p> : null;
  return <p class="quiet">{children}</p>;
}

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

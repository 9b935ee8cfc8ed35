/** What stands in place of data: that there are none and what makes some, or that they are on their way. */
import type { ComponentChildren } from "preact";
import type { Refused } from "../api.ts";

export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>;
}

/** As high as a few lines of what is coming, so that the page does not jump. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div class="skeleton">
      <span class="unseen">loading</span>
      {Array.from({ length: lines }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  );
}

/** In place of a list without members. `data`: what was asked for; null: it has not come. */
export function NoRows({
  data,
  fault,
  children,
}: {
  readonly data: object | null;
  readonly fault: Refused | null;
  readonly children: ComponentChildren;
}) {
  if (data === null) return fault === null ? <Skeleton /> : null;
  return <Empty>{children}</Empty>;
}

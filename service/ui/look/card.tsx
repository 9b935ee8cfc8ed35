/** A part of a page with a heading, and what can be done with it on the right of that. */
import type { ComponentChildren } from "preact";

type CardOf = {
  readonly title: ComponentChildren;
  /** The name of the region; absent: the heading is enough. */
  readonly label?: string;
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

export function Card({ title, label, actions, children }: CardOf) {
  return (
    <section class="card" aria-label={label}>
      <div class="card-head">
        <h2>{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

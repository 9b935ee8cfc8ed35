/** A term with what is known of it, in a list of facts. */
import type { ComponentChildren } from "preact";

export function Fact({ term, children }: { readonly term: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

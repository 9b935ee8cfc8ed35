/** The program in the form that its text does not have, next to it. */
import { useMemo } from "preact/hooks";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { Source } from "../parts/source.tsx";
import { converted, otherForm } from "./compiler.ts";

type OtherFormOf = { readonly text: string; readonly ir: Ir; readonly use: (text: string) => void };

export function OtherForm({ text, ir, use }: OtherFormOf) {
  const other = useMemo(() => converted(text, ir), [text, ir]);
  if (!other.ok)
    return (
      <>
        <p>The {otherForm(text)} form cannot say all of this program.</p>
        <ul>
          {other.refusals.map(({ line, what }) => (
            <li key={`${line} ${what}`}>
              line {line}: {what}
            </li>
          ))}
        </ul>
      </>
    );
  return (
    <>
      <p class="actions">
        The {otherForm(text)} form
        <button type="button" onClick={() => use(other.text)}>
          Continue in this form
        </button>
      </p>
      <Source code={other.text} />
    </>
  );
}

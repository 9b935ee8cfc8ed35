/** The program in the form that its text does not have, next to it. */
import { useMemo } from "preact/hooks";
import type { ConvertedText } from "../../../compiler/convert/convert-text.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { Source } from "../parts/source.tsx";
import { useWork } from "../work.ts";
import { converted, otherForm } from "./compiler.ts";

type OtherFormOf = {
  readonly source: string;
  /** Of the source. */
  readonly ir: Ir;
  /** Whether nothing was written since. */
  readonly isCurrent: boolean;
  readonly use: (text: string) => void;
};

export function OtherForm({ source, ir, isCurrent, use }: OtherFormOf) {
  const { result: other, isDone } = useWork((signal) => converted(source, ir, signal), [ir]);
  const shown = useMemo(() => (other === null ? null : resultOf(other)), [other]);
  if (other === null) return <p class="quiet">converting</p>;
  return (
    <>
      <p class="actions">
        {other.ok ? `The ${otherForm(source)} form` : `The ${otherForm(source)} form cannot say all of this program.`}
        {other.ok ? (
          <button type="button" disabled={!isCurrent || !isDone} onClick={() => use(other.text)}>
            Continue in this form
          </button>
        ) : null}
      </p>
      {shown}
    </>
  );
}

function resultOf(other: ConvertedText) {
  if (other.ok) return <Source code={other.text} />;
  return (
    <ul>
      {other.refusals.map(({ line, what }) => (
        <li key={`${line} ${what}`}>
          line {line}: {what}
        </li>
      ))}
    </ul>
  );
}

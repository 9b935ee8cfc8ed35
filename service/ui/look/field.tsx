/** A field of a form: its label, the control, a line of help, and below it what is wrong with what was typed. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

export type FieldMarks = {
  readonly id: string;
  readonly "aria-invalid"?: true;
  readonly "aria-describedby"?: string;
};

type FieldOf = {
  readonly label: string;
  readonly help?: string;
  /** null: nothing is wrong. */
  readonly error?: string | null;
  /** The control, which takes these attributes. */
  readonly children: (marks: FieldMarks) => ComponentChildren;
};

export function Field({ label, help, error = null, children }: FieldOf) {
  const id = useId();
  const described = [...(error === null ? [] : [`${id}-error`]), ...(help === undefined ? [] : [`${id}-help`])];
  const marks: FieldMarks = {
    id,
    ...(error === null ? {} : { "aria-invalid": true }),
    ...(described.length === 0 ? {} : { "aria-describedby": described.join(" ") }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children(marks)}
      {error === null ? null : (
        <span class="error" id={`${id}-error`}>
          {error}
        </span>
      )}
      {help === undefined ? null : (
        <span class="help" id={`${id}-help`}>
          {help}
        </span>
      )}
    </div>
  );
}

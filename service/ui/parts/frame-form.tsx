/** Named values: a field for each one that is declared, and all of them as JSON, which is what is sent. */
import type { InputDeclaration } from "../../../grammar/ast.ts";
import { Field, type FieldMarks } from "../look/field.tsx";

export type FrameInput = Pick<InputDeclaration, "name" | "type" | "required"> & {
  /** The type as it is written in Python, of an input of such a program. */
  readonly annotation?: string;
  /** The texts that may be chosen. */
  readonly choices?: readonly string[];
};
type FrameForm = {
  readonly inputs: readonly FrameInput[];
  /** Of the JSON. */
  readonly title?: string;
  /** JSON. */
  readonly text: string;
  readonly set: (text: string) => void;
  /** What the service refused, by the name of the value. */
  readonly problems?: Readonly<Record<string, string>>;
};
type Frame = Readonly<Record<string, unknown>>;

export function FrameFields({ inputs, title = "Variables, as JSON", text, set, problems = {} }: FrameForm) {
  const frame = frameIn(text);
  const change = (name: string, value: unknown) => {
    const { [name]: _, ...others } = frame ?? {};
    set(JSON.stringify(value === undefined ? others : { ...others, [name]: value }));
  };
  // Where each value has a field of its own, JSON is for those who paste it.
  const isFolded = inputs.length > 0 && inputs.every(({ type, choices }) => choices !== undefined || FIELDS.has(type));
  const json = (
    <textarea
      rows={3}
      spellcheck={false}
      aria-label={title}
      value={text}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );
  return (
    <>
      {frame === null || inputs.length === 0 ? null : (
        <div class="filters">
          {inputs.map((input) => (
            <InputField
              key={input.name}
              input={input}
              value={frame[input.name]}
              change={change}
              problem={problems[input.name] ?? null}
            />
          ))}
        </div>
      )}
      {isFolded ? (
        <details class="json">
          <summary>{title}</summary>
          {json}
        </details>
      ) : (
        <div class="json">
          <span aria-hidden="true">{title}</span>
          {json}
        </div>
      )}
    </>
  );
}

/** Types whose values have a field. */
const FIELDS: ReadonlySet<string> = new Set(["text", "number", "integer", "boolean"]);

type FieldOf = {
  readonly input: FrameInput;
  readonly value: unknown;
  readonly change: (name: string, value: unknown) => void;
  /** null: none is known. */
  readonly problem: string | null;
};

/** Lists and maps are written below, as JSON. */
function InputField({ input, value, change, problem }: FieldOf) {
  const { name, type, annotation = type, required, choices } = input;
  const label = `${name}: ${annotation}${required === undefined ? "" : ", required"}`;
  if (choices === undefined && !FIELDS.has(type))
    return (
      <div class="field">
        <span>{label}</span>
        <span class="help">{value === undefined ? "not given" : "in the JSON below"}</span>
        {problem === null ? null : <span class="error">{problem}</span>}
      </div>
    );
  return (
    <Field label={label} error={problem}>
      {(marks) => controlOf({ name, type, choices }, value, change, marks)}
    </Field>
  );
}

function controlOf(
  {
    name,
    type,
    choices,
  }: Omit<FrameInput, "required" | "choices"> & { readonly choices: FrameInput["choices"] | undefined },
  value: unknown,
  change: FieldOf["change"],
  marks: FieldMarks,
) {
  if (choices !== undefined)
    return (
      <Choice
        choices={choices}
        value={typeof value === "string" ? value : undefined}
        set={(chosen) => change(name, chosen)}
        marks={marks}
      />
    );
  if (type === "boolean")
    return (
      <Choice
        choices={["true", "false"]}
        value={typeof value === "boolean" ? String(value) : undefined}
        set={(chosen) => change(name, chosen === undefined ? undefined : chosen === "true")}
        marks={marks}
      />
    );
  if (type === "text")
    return (
      <input
        {...marks}
        value={typeof value === "string" ? value : ""}
        onInput={(event) => change(name, event.currentTarget.value)}
      />
    );
  return (
    <input
      {...marks}
      type="number"
      step={type === "integer" ? 1 : "any"}
      value={typeof value === "number" ? value : ""}
      onInput={({ currentTarget: { value: typed } }) => change(name, typed === "" ? undefined : Number(typed))}
    />
  );
}

type ChoiceOf = {
  readonly choices: readonly string[];
  /** undefined: none of them. */
  readonly value: string | undefined;
  readonly set: (chosen: string | undefined) => void;
  readonly marks: FieldMarks;
};

function Choice({ choices, value, set, marks }: ChoiceOf) {
  const chosen = value === undefined ? -1 : choices.indexOf(value);
  return (
    <select
      {...marks}
      value={String(chosen)}
      onChange={({ currentTarget }) => set(choices[Number(currentTarget.value)])}
    >
      <option value="-1">not given</option>
      {choices.map((choice) => (
        <option key={choice} value={String(choices.indexOf(choice))}>
          {choice}
        </option>
      ))}
    </select>
  );
}

/** null while the text is not an object of JSON. */
export function frameIn(text: string): Frame | null {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read) ? (read as Frame) : null;
  } catch {
    return null;
  }
}

/** The variables of a run: a field for each input that the program declares, and all of them as JSON, which is what is sent. */
import type { InputDeclaration } from "../../../grammar/ast.ts";

type FrameForm = {
  readonly inputs: readonly Pick<InputDeclaration, "name" | "type" | "required">[];
  /** JSON. */
  readonly text: string;
  readonly set: (text: string) => void;
};
type Frame = Readonly<Record<string, unknown>>;

export function FrameFields({ inputs, text, set }: FrameForm) {
  const frame = frameIn(text);
  const change = (name: string, value: unknown) => {
    const { [name]: _, ...others } = frame ?? {};
    set(JSON.stringify(value === undefined ? others : { ...others, [name]: value }));
  };
  return (
    <>
      {frame === null || inputs.length === 0 ? null : (
        <div class="filters">
          {inputs.map((input) => (
            <Field key={input.name} input={input} value={frame[input.name]} change={change} />
          ))}
        </div>
      )}
      <label>
        Variables, as JSON
        <textarea rows={3} spellcheck={false} value={text} onInput={(event) => set(event.currentTarget.value)} />
      </label>
    </>
  );
}

type FieldOf = {
  readonly input: FrameForm["inputs"][number];
  readonly value: unknown;
  readonly change: (name: string, value: unknown) => void;
};

/** Lists and maps are written below, as JSON. */
function Field({ input: { name, type, required }, value, change }: FieldOf) {
  const title = `${name}: ${type}${required === undefined ? "" : ", needed"}`;
  switch (type) {
    case "text":
      return (
        <label>
          {title}
          <input
            value={typeof value === "string" ? value : ""}
            onInput={(event) => change(name, event.currentTarget.value)}
          />
        </label>
      );
    case "number":
    case "integer":
      return (
        <label>
          {title}
          <input
            type="number"
            step={type === "integer" ? 1 : "any"}
            value={typeof value === "number" ? value : ""}
            onInput={({ currentTarget: { value: typed } }) => change(name, typed === "" ? undefined : Number(typed))}
          />
        </label>
      );
    case "boolean":
      return (
        <label>
          {title}
          <select
            value={typeof value === "boolean" ? String(value) : ""}
            onChange={({ currentTarget: { value: chosen } }) =>
              change(name, chosen === "" ? undefined : chosen === "true")
            }
          >
            {["", "true", "false"].map((each) => (
              <option key={each} value={each}>
                {each === "" ? "not given" : each}
              </option>
            ))}
          </select>
        </label>
      );
    default:
      return (
        <p>
          {title}
          <br />
          <span class="quiet">{value === undefined ? "not given" : "in the JSON below"}</span>
        </p>
      );
  }
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

/** What a function holds after a step: a table with the changed ones marked, in words and not by colour alone. */
import { Chip } from "../look/chip.tsx";
import { Table } from "../look/table.tsx";
import { Value } from "../parts/value.tsx";
import { RULES } from "../rules.ts";
import type { RunLine } from "./run-lines.ts";

export function StepVariables({ name, variables, changed }: Pick<RunLine, "name" | "variables" | "changed">) {
  const title = `Variables of ${name}`;
  if (variables === null) return <p class="quiet">The variables are not in the trace.</p>;
  const all = Object.entries(variables);
  if (all.length === 0) return <p class="quiet">{name} has no variables yet.</p>;
  return (
    <Table label={title} titles={["Variable", "Value"]}>
      {all.map(([variable, value]) => (
        <tr key={variable} class={changed.has(variable) ? "changed" : undefined}>
          <td>
            <code>{variable}</code> {changed.has(variable) ? <Chip tone="busy">changed</Chip> : null}
          </td>
          <td>
            <Held value={value} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** A value that JSON does not have is shown as Python writes it, and of a large one its type. */
function Held({ value }: { readonly value: unknown }) {
  const only = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  if (typeof only["$truncated"] === "number" && typeof only["type"] === "string")
    return <span class="quiet">a {only["type"]}, too large to be shown with each step</span>;
  if (typeof only["$python"] === "string" && Object.keys(only).length === 1)
    return <code>{RULES.values ? only["$python"] : "a value of Python"}</code>;
  return <Value value={value} isBrief />;
}

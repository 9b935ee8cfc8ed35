/** A form that runs a deployed program, from the inputs that it declares. */
import { useState } from "preact/hooks";
import { type Refused, send } from "../../api.ts";
import { Field } from "../../look/field.tsx";
import { ActButton } from "../../parts/act.tsx";
import { FrameFields } from "../../parts/frame-form.tsx";
import { readJson } from "../../parts/json.ts";
import { OtherProblems, problemsIn } from "../../parts/problems.tsx";
import type { Beginning } from "../../playground/compiler.ts";
import { address, go } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { useWork } from "../../work.ts";

/** `code`: source of its current version, as far as it is known. */
export function RunForm({ name, code }: { readonly name: string; readonly code: string | undefined }) {
  const [frame, setFrame] = useState("{}");
  const [fault, setFault] = useState<Refused | null>(null);
  const [label, begin] = useState("");
  const { result } = useWork<readonly Beginning[]>(
    RULES.act && code !== undefined ? (signal) => beginningsIn(code, signal) : null,
    [code],
  );
  if (!RULES.act) return null;
  const beginnings = result ?? [];
  const { inputs } = beginnings.find((each) => each.label === label) ?? beginnings[0] ?? { inputs: [] };
  const queue = async () => {
    const { job_id: id } = await send<{ job_id: string }>("POST", "/enqueue", {
      program: name,
      frame: readJson(frame, "the variables are"),
      ...(label === "" ? {} : { label }),
    });
    go(address(["jobs", id]));
  };
  const names = inputs.map((input) => input.name);
  return (
    <section>
      <h2>Run it</h2>
      {beginnings.length < 2 ? null : (
        <Field label="Function">
          {(marks) => (
            <select {...marks} value={label} onChange={({ currentTarget }) => begin(currentTarget.value)}>
              {beginnings.map((each, at) => (
                <option key={each.label} value={at === 0 ? "" : (each.label ?? "")}>
                  {each.label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <FrameFields inputs={inputs} text={frame} set={setFrame} problems={problemsIn(fault, "/frame", names)} />
      <OtherProblems fault={fault} fields={names.map((name) => `/frame/${name}`)} />
      <ActButton text="Queue a job" kind="primary" run={queue} done={() => {}} refused={setFault} />
    </section>
  );
}

async function beginningsIn(code: string, signal: AbortSignal): Promise<readonly Beginning[]> {
  const { beginningsOf } = await import("../../playground/compiler.ts");
  return beginningsOf(code, signal);
}

/** A form that runs a deployed program, from the inputs that it declares. */
import { useState } from "preact/hooks";
import { type Refused, send } from "../../api.ts";
import { ActButton } from "../../parts/act.tsx";
import { FrameFields } from "../../parts/frame-form.tsx";
import { readJson } from "../../parts/json.ts";
import { OtherProblems, problemsIn } from "../../parts/problems.tsx";
import { address, go } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { useWork } from "../../work.ts";

type Inputs = Parameters<typeof FrameFields>[0]["inputs"];

/** `code`: source of its current version, as far as it is known. */
export function RunForm({ name, code }: { readonly name: string; readonly code: string | undefined }) {
  const [frame, setFrame] = useState("{}");
  const [fault, setFault] = useState<Refused | null>(null);
  const { result: inputs } = useWork<Inputs>(
    RULES.act && code !== undefined ? (signal) => declaredIn(code, signal) : null,
    [code],
  );
  if (!RULES.act) return null;
  const queue = async () => {
    const { job_id: id } = await send<{ job_id: string }>("POST", "/enqueue", {
      program: name,
      frame: readJson(frame, "the variables are"),
    });
    go(address(["jobs", id]));
  };
  const names = (inputs ?? []).map((input) => input.name);
  return (
    <section>
      <h2>Run it</h2>
      <FrameFields inputs={inputs ?? []} text={frame} set={setFrame} problems={problemsIn(fault, "/frame", names)} />
      <OtherProblems fault={fault} fields={names.map((name) => `/frame/${name}`)} />
      <ActButton text="Queue a job" kind="primary" run={queue} done={() => {}} refused={setFault} />
    </section>
  );
}

async function declaredIn(code: string, signal: AbortSignal): Promise<Inputs> {
  const { inputsOf } = await import("../../playground/compiler.ts");
  return inputsOf(code, signal);
}

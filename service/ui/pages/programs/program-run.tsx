/** A form that runs a deployed program, from the inputs that it declares. */
import { useState } from "preact/hooks";
import { send } from "../../api.ts";
import { ActButton } from "../../parts/act.tsx";
import { FrameFields } from "../../parts/frame-form.tsx";
import { readJson } from "../../parts/json.ts";
import { address, go } from "../../router.ts";
import { RULES } from "../../rules.ts";
import { useWork } from "../../work.ts";

type Inputs = Parameters<typeof FrameFields>[0]["inputs"];

/** `code`: source of its current version, as far as it is known. */
export function RunForm({ name, code }: { readonly name: string; readonly code: string | undefined }) {
  const [frame, setFrame] = useState("{}");
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
  return (
    <section>
      <h2>Run it</h2>
      <FrameFields inputs={inputs ?? []} text={frame} set={setFrame} />
      <ActButton text="Queue a job" run={queue} done={() => {}} />
    </section>
  );
}

async function declaredIn(code: string, signal: AbortSignal): Promise<Inputs> {
  const { inputsOf } = await import("../../playground/compiler.ts");
  return inputsOf(code, signal);
}

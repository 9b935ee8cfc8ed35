/** `wf jobs migrate`: a new job that takes over what a durable one learned, with another program. */
import type { Ir } from "../../compiler/ir/graph.ts";
import { resolveReference } from "../../compiler/ir/references.ts";
import { wholeNumber } from "../grant/limit-flags.ts";
import { callNames } from "../output/call-names.ts";
import { stepNames } from "../output/step-names.ts";
import { visible } from "../output/terminal/columns.ts";
import { counted } from "../output/terminal/table.ts";
import { EXIT, usageFault } from "../session/faults.ts";
import type { Screen } from "../session/screen.ts";
import type { JobService, RetryFrom } from "./client.ts";

/** `start`, `failure`, or the number of a record. */
export function retryFrom(given: string): RetryFrom {
  if (given === "start" || given === "failure") return given;
  if (!/^[0-9]+$/.test(given)) throw usageFault("option --from needs start, failure or the number of a record");
  return { seq: wholeNumber("--from", given) };
}

type Migration = { readonly id: string; readonly ir: Ir; readonly from: RetryFrom; readonly dryRun: boolean };

export async function migrate(
  service: JobService,
  { id, ir, from, dryRun }: Migration,
  screen: Screen,
): Promise<number> {
  // With another program, the start is the journal without any of its records.
  const body = { from: from === "start" ? { seq: 0 } : from, ir };
  if (!dryRun) {
    const queued = await service.migrate(id, body);
    if (screen.json) screen.document(queued);
    else screen.out(`${visible(queued.job_id)}\n`);
    return EXIT.success;
  }
  const tried = await service.rehearse(id, body);
  if (screen.json) screen.document(tried);
  else {
    const { records, next } = tried;
    const then =
      next === null
        ? "and ends without a further call"
        : `then calls ${(await callNames())(next.adapter, next.verb)} at ${stepOf(ir, next)}`;
    screen.out(`${visible(`takes ${counted(records, "record")}, ${then}`)}\n`);
  }
  return EXIT.success;
}

/** `main line 4`; of the opcode form `L1 n2`. */
function stepOf(ir: Ir, { label, node }: { readonly label: string; readonly node: string }): string {
  return stepNames(ir).step(
    resolveReference(label, (id) => Object.hasOwn(ir.labels, id)),
    node,
  );
}

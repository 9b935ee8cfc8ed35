/** The deployed version that a job runs: names of its steps, and its source, as far as the service shows them. */
import { shownLabel } from "../../grammar/text/written-label.ts";
import type { FailedProgram } from "../output/failure/run-failure.ts";
import { stepNames } from "../output/step-names.ts";
import { CliFault } from "../session/faults.ts";
import type { JobService, RemoteJob } from "./client.ts";

type Step = { readonly label?: string | undefined; readonly node?: string | undefined };
export type JobProgram = {
  /** `main line 4`; "" for what is not a step. */
  readonly stepName: (step: Step) => string;
  readonly source: FailedProgram | null;
};

/** `began`: the label of the first record of the run, as far as it is known. */
export async function programOf(
  service: Pick<JobService, "version">,
  { program, version, label }: Pick<RemoteJob, "program" | "version" | "label">,
  began?: string,
): Promise<JobProgram> {
  const written = { label, began };
  if (program === undefined || version === undefined) return ofRequest(written);
  const found = await service.version(program, version).catch((cause: unknown) => {
    if (cause instanceof CliFault) return null;
    throw cause;
  });
  if (found === null) return ofRequest(written);
  const { code, files = {}, main = "", ir } = found;
  const textOf = (file: string | null) => (file === null ? (code ?? files[main]) : files[file]) ?? null;
  const source = textOf(null) === null ? null : { name: `${program}@${version}`, textOf };
  // A command that only asks a service does not load the compiler.
  const { normalize } = await import("../../compiler/ir/supplied/normalize.ts");
  const { builtinCatalog } = await import("../../compiler/catalog/builtin.ts");
  const read = normalize(ir, builtinCatalog);
  if (!read.ok) return { ...ofRequest(written), source };
  const names = stepNames(read.ir);
  return { source, stepName: ({ label, node }) => (label === undefined ? "" : names.step(label, node ?? null)) };
}

/**
 * A program that came with its request. The label that it begins at is written with an `L` in the opcode form; a function has its name alone, and where
 * that begins with an L, the first record of the run tells.
 */
function ofRequest({
  label: written,
  began,
}: {
  readonly label: string;
  readonly began: string | undefined;
}): JobProgram {
  const isFunction = written === began || !(written.startsWith("L") || written.includes("/"));
  const stepName = ({ label, node = "" }: Step): string => {
    if (label === undefined) return "";
    return isFunction || label === written ? label : `${shownLabel(label)} ${node}`.trimEnd();
  };
  return { stepName, source: null };
}

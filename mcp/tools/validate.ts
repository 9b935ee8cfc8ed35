/** wf_validate: whether a program compiles, what is wrong with it and how to fix it, and what a run of it would need. */
import * as z from "zod/mini";
import { compileProgram, reportOf } from "../programs/check-program.ts";
import { readSource } from "../programs/source.ts";
import { anyNames, optionalFlag, output, sourceMembers } from "../tool/schemas.ts";
import { defineTool, READS_ONLY } from "../tool/tool.ts";

export const validateTool = defineTool({
  name: "wf_validate",
  title: "Validate a program",
  description:
    "Check a Python program without running it. Returns errors with places and ready-made fixes, and what a run needs. Inputs are the parameters, as in def main(a, b):.",
  hints: READS_ONLY,
  input: (options) =>
    z.strictObject({ ...sourceMembers(options), strict: optionalFlag, frame: anyNames("inputs of the run") }),
  aliases: { source: "code" },
  output: output({
    errors: "texts",
    diagnostics: "objects",
    fixed_code: "text",
    runtime_readiness: "object",
    frame_hints: "objects",
  }),
  async call(args, services, { signal }) {
    const source = await readSource(args, services, signal);
    if (!source.ok) return source.refusal;
    const program = compileProgram(source, { strict: args.strict ?? true, inputs: namesOf(args.frame) }, services);
    return { payload: reportOf(program, services), isError: false };
  },
});

/** Names of a frame: of its values, or given as a list. Anything else has none. */
function namesOf(frame: unknown): readonly string[] {
  if (Array.isArray(frame)) return frame.filter((name) => typeof name === "string");
  return typeof frame === "object" && frame !== null ? Object.keys(frame) : [];
}

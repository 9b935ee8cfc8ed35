/** wf_validate: whether a program compiles, what is wrong with it and how to mend it, and what a run of it would need. */
import * as z from "zod/mini";
import { compileProgram, reportOf } from "../check-program.ts";
import { optionalFlag, output, sourceMembers } from "../schemas.ts";
import { readSource } from "../source.ts";
import { defineTool, READS_ONLY } from "../tool.ts";

export const validateTool = defineTool({
  name: "wf_validate",
  title: "Validate a program",
  description:
    "Check a Weft program without running it. Returns errors with line, column and ready-made fixes, needed adapters and frame inputs.",
  hints: READS_ONLY,
  input: (options) => z.strictObject({ ...sourceMembers(options), strict: optionalFlag }),
  aliases: { source: "code" },
  output: output({
    errors: "list",
    diagnostics: "list",
    runtime_readiness: "object",
    frame_hints: "list",
  }),
  async call(args, services, { signal }) {
    const source = await readSource(args, services, signal);
    if (!source.ok) return source.refusal;
    const program = compileProgram(source.code, { strict: args.strict ?? true }, services);
    return { payload: reportOf(program, services), isError: false };
  },
});

/** wf_compile: the canonical IR of a program with its checksum; a program that does not compile is answered as wf_validate answers it. */
import * as z from "zod/mini";
import { compileProgram, factsOf, reportOf, warningsOf } from "../programs/check-program.ts";
import { readSource } from "../programs/source.ts";
import { succeeded } from "../tool/results.ts";
import { optionalFlag, output, sourceMembers } from "../tool/schemas.ts";
import { defineTool, READS_ONLY } from "../tool/tool.ts";

export const compileTool = defineTool({
  name: "wf_compile",
  title: "Compile to IR",
  description: "Compile a Weft program to canonical IR with its checksum. No side effects.",
  hints: READS_ONLY,
  input: (options) => z.strictObject({ ...sourceMembers(options), strict: optionalFlag, include_source: optionalFlag }),
  aliases: { source: "code" },
  output: output({ ir: "object", checksum: "text" }),
  async call(args, services, { signal }) {
    const source = await readSource(args, services, signal);
    if (!source.ok) return source.refusal;
    const program = compileProgram(source, { strict: args.strict ?? true }, services);
    const { ir } = program;
    if (ir === null) return { payload: reportOf(program, services), isError: true };
    const { frame_hints, required_adapters, runtime_readiness } = factsOf(program, services);
    return {
      ...succeeded({
        ir,
        checksum: ir.checksum,
        frame_hints,
        required_adapters,
        warnings: warningsOf(program),
        runtime_readiness,
        ...(args.include_source === true ? { source: source.code } : {}),
      }),
      omittable: ["ir", "source"],
    };
  },
});

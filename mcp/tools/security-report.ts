/** wf_security_report: what a program can touch, the least grant it needs, and which profiles admit it; without running it. */
import * as z from "zod/mini";
import { securityReport } from "../../compiler/policy/report.ts";
import { profileTerms } from "../../vm/grant/profile-terms.ts";
import { compileProgram, reportOf, warningsOf } from "../programs/check-program.ts";
import { readSource } from "../programs/source.ts";
import { succeeded } from "../tool/results.ts";
import { output, sourceMembers } from "../tool/schemas.ts";
import { defineTool, READS_ONLY } from "../tool/tool.ts";

export const securityReportTool = defineTool({
  name: "wf_security_report",
  title: "Security report",
  description:
    "Show what a program may touch, per label: adapters, tiers, hosts, files, bounds, which security profiles admit it, and the least grant it needs.",
  hints: READS_ONLY,
  input: (options) => z.strictObject(sourceMembers(options)),
  aliases: { source: "code" },
  output: output({ report: "object" }),
  async call(args, services, { signal }) {
    const source = await readSource(args, services, signal);
    if (!source.ok) return source.refusal;
    // Faulty programs are looked at too, as far as they can be read.
    const program = compileProgram(source, { strict: false }, services);
    const { ir } = program;
    if (ir === null) return { payload: reportOf(program, services), isError: true };
    const { catalog, profiles } = services.runtime;
    const report = securityReport(ir, catalog, { profiles: profiles.map(profileTerms) });
    return succeeded({ report, warnings: warningsOf(program) });
  },
});

/** The commands of `node test/python/report.mjs`. */
import { reportGenerated } from "./generated.ts";
import { reportCases } from "./report.ts";
import { reportRows } from "./rows/report.ts";

export async function main(folder: string, args: readonly string[]): Promise<number> {
  const [first = ""] = args;
  if (first === "generated" || first === "sharing") return reportGenerated(first, args.slice(1));
  if (first === "rows") return reportRows(args.slice(1));
  return reportCases(folder, args);
}

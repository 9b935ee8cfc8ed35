/** docs/reference.md is what the tables in the code say. Out of date: `WEFT_DOCS=write npx vitest run test/docs/reference.test.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOST_VARIABLES } from "../../adapters/operator/host-config.ts";
import { CLI_VARIABLES } from "../../cli/session/environment.ts";
import { MCP_VARIABLES } from "../../mcp/config.ts";
import { SERVICE_VARIABLES } from "../../service/config.ts";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";
import { referencePage } from "./reference-page.ts";

/** The command line looks at them to say that it does not read them. */
const OF_SERVICES: readonly string[] = ["WF_SECURITY_PROFILE", "WF_MCP_PROFILE", "WF_STRICT_MODE"];

const PAGE = new URL("../../docs/reference.md", import.meta.url);

let service: JobServing;
let made: string;
beforeAll(async () => {
  service = await servingJobs();
  made = referencePage((await service.call("GET", "/openapi.json")).body.paths);
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(PAGE, made);
});
afterAll(() => service.stop());

describe("docs/reference.md", () => {
  it("is up to date", () => {
    expect(readFileSync(PAGE, "utf8")).toBe(made);
  });

  it.each([
    ["cli.md", [...CLI_VARIABLES, ...HOST_VARIABLES].filter((name) => !OF_SERVICES.includes(name))],
    ["http.md", SERVICE_VARIABLES],
    ["mcp.md", MCP_VARIABLES],
  ])("docs/%s has a row for every variable of its surface", (page, names) => {
    const rows = readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8").match(/^\| `.*$/gm) ?? [];
    expect(names.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
  });

  it("finds every variable described on some page", () => {
    const [, rows = ""] = made.split("## Environment variables");
    const silent = rows.split("\n").filter((row) => row.startsWith("| `") && /\| \|$/.test(row));
    expect(silent).toEqual([]);
  });
});

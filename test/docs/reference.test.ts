/** docs/reference.md is what the tables in the code say. Out of date: `WEFT_DOCS=write npx vitest run test/docs/reference.test.ts`. */
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobServing, servingJobs } from "../service/jobs/serving-jobs.ts";
import { referencePage } from "./reference-page.ts";

const PAGE = new URL("../../docs/reference.md", import.meta.url);

let service: JobServing;
let made: string;
beforeAll(async () => {
  service = await servingJobs();
  made = await referencePage((await service.call("GET", "/openapi.json")).body.paths);
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(PAGE, made);
});
afterAll(() => service.stop());

describe("docs/reference.md", () => {
  it("is up to date", () => {
    expect(readFileSync(PAGE, "utf8")).toBe(made);
  });

  it("finds every variable described on some page", () => {
    const [, rows = ""] = made.split("## Environment variables");
    const silent = rows.split("\n").filter((row) => row.startsWith("| `") && /\| \|$/.test(row));
    expect(silent).toEqual([]);
  });
});

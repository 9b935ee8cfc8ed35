/** The types of the TypeScript client are those of the service's OpenAPI document. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { servingJobs } from "../service/jobs/serving-jobs.ts";
import { typesText } from "./type-text.ts";

const FILE = fileURLToPath(new URL("../../client/api-types.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

it("client/api-types.ts is what the OpenAPI document says (WEFT_DOCS=write writes it)", async () => {
  const service = await servingJobs();
  const { body } = await service.call("GET", "/openapi.json").finally(() => service.stop());
  const text = formatted(typesText(body));
  if (process.env["WEFT_DOCS"] === "write") writeFileSync(FILE, text);
  expect(readFileSync(FILE, "utf8")).toBe(text);
}, 60_000);

function formatted(text: string): string {
  const biome = fileURLToPath(new URL("../../node_modules/@biomejs/biome/bin/biome", import.meta.url));
  return execFileSync(process.execPath, [biome, "format", "--stdin-file-path=client/api-types.ts"], {
    input: text,
    encoding: "utf8",
    cwd: ROOT,
  });
}

/** Lines of JSON are lines for every reader: U+2028 and U+2029 are escaped. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lineSafe } from "../../vm/values/json-line.ts";
import { wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { type Serving, serving } from "./serving.ts";

const TEXT = "a\u2028b\u2029c";
const RAW = /[\u2028\u2029]/;

let service: Serving;
beforeAll(async () => {
  service = await serving();
});
afterAll(() => service.stop());

describe("a line of JSON", () => {
  it("means the same with its separators escaped", () => {
    const json = JSON.stringify({ [TEXT]: [TEXT, "\\u2028"] });
    expect(lineSafe(json)).not.toMatch(RAW);
    expect(JSON.parse(lineSafe(json))).toEqual(JSON.parse(json));
    expect(lineSafe("{}")).toBe("{}");
  });

  it("of a batch has no separators, from the service and from wf batch", async () => {
    const code = "# frame: n\nL1:\n  J n\n";
    const body = { code, frames: [{ n: TEXT }, { n: 1 }], order: "input" };
    const { text } = await service.call("POST", "/batch", body, { accept: "application/x-ndjson" });
    const cwd = folderWith({ "p.wf": code, "in.ndjson": `${JSON.stringify({ n: TEXT })}\n` });
    const { stdout } = await wf(["batch", "p.wf", "--in", "in.ndjson"], { cwd });
    for (const lines of [text, stdout]) {
      expect(lines).not.toMatch(RAW);
      expect(JSON.parse(lines.split("\n")[0] ?? "").out).toBe(TEXT);
    }
  });
});

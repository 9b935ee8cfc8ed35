/** `wf batch` with Arrow files where the optional package for them is not installed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { documentOf, wf } from "../../console.ts";
import { folderWith } from "../../folders.ts";

vi.mock("apache-arrow", () => {
  throw new Error("Cannot find package");
});

it("says how to install it, and runs nothing", async () => {
  const cwd = folderWith({ "p.py": "def main(n):\n    return n\n", "in.arrow": "" });
  const argv = ["batch", "p.py", "--frames-arrow", "in.arrow"];
  const result = await wf(argv, { cwd });
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toMatch(/install it with: npm install apache-arrow@\d+\.\d+\.\d+\n/);
  expect(documentOf(await wf([...argv, "--json", "--out", "out.ndjson"], { cwd }))).toMatchObject({
    ok: false,
    error: "package_missing",
  });
});

it("says so before it writes results", async () => {
  const cwd = folderWith({ "p.py": "def main(n):\n    return n\n", "in.ndjson": '{"n":1}\n' });
  const result = await wf(["batch", "p.py", "--in", "in.ndjson", "--out-arrow", "out.arrows"], { cwd });
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toContain("package_missing");
  expect(existsSync(join(cwd, "out.arrows"))).toBe(false);
});

/** `wf diagram` where the optional package that draws is not installed. */
import { expect, it, vi } from "vitest";
import { documentOf, wf } from "../console.ts";

vi.mock("@hpcc-js/wasm-graphviz", () => {
  throw new Error("Cannot find package");
});

it("says how to install it, and draws nothing", async () => {
  const stdin = "L1:\n  J 1\n";
  const result = await wf(["diagram", "-", "--format", "svg"], { stdin });
  expect(result).toMatchObject({ code: 2, stdout: "" });
  expect(result.stderr).toMatch(/install it with: npm install @hpcc-js\/wasm-graphviz@\d+\.\d+\.\d+\n/);
  expect(documentOf(await wf(["diagram", "-", "--format", "html", "--json"], { stdin }))).toMatchObject({
    ok: false,
    error: "package_missing",
  });
  expect((await wf(["diagram", "-", "--format", "dot"], { stdin })).code).toBe(0);
});

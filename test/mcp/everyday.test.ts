/** Everyday programs, as a model writes them from the server's instructions alone, are right at the first call. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { openServer } from "./opened.ts";

type Program = {
  readonly name: string;
  readonly frame: object;
  readonly calls?: readonly object[];
  readonly expect: unknown;
  readonly code: string;
};

const programs = parse(readFileSync(new URL("./everyday.yaml", import.meta.url), "utf8")) as readonly Program[];

describe("the first call", () => {
  it.each(programs.map((one) => [one.name, one] as const))("of %s is right", async (_name, one) => {
    const server = await openServer({ variables: { WF_MCP_PROFILE: "operator_full" } });
    const { code, frame, calls } = one;
    const { payload } = await server.call("wf_run", {
      code,
      frame,
      ...(calls === undefined ? {} : { replay_log: calls }),
    });
    expect(payload).toMatchObject({ ok: true, out: one.expect });
    const { diagnostics } = (await server.call("wf_validate", { code, frame })).payload;
    expect(diagnostics.filter((one: { severity: string }) => one.severity === "error")).toEqual([]);
    await server.close();
  });
});

/** Which calls count in adapter_p95_ms: every one that was made, however it ended, with all of its time. */
import { describe, expect, it } from "vitest";
import { verifies } from "../../support/requirements.ts";
import { type Run, run } from "../../support/world.ts";

const program = (...steps: readonly string[]): string =>
  `L1:\n${steps.map((step) => `  ${step}\n`).join("")}L2:\n  J "caught"\n`;

const figuresOf = async (source: string, options: Run = {}) => (await run(source, options)).adapter_p95_ms;

describe("times of calls", () => {
  it("include core calls that failed and were caught", async () => {
    verifies("response.adapter_p95_ms");
    const failing = program("R core.DIV 1 0 ->x", "Err ->L2", "J x");
    expect(await figuresOf(failing)).toEqual({ core: 0 });
    expect(await figuresOf(failing, { record: true })).toEqual({ core: 0 });
    expect(await figuresOf(failing, { observer: () => undefined })).toEqual({ core: 0 });
    expect(await figuresOf(program("R core.ENV ->x", "Err ->L2", "J x"), { strict: false })).toEqual({ core: 0 });
    expect(await figuresOf(program("X x div 1 0", "Err ->L2", "J x"))).toEqual({});
  });

  it("include the wait of a host function that was called, and of none that was used", async () => {
    verifies("response.adapter_p95_ms");
    expect(await figuresOf(program("R core.SLEEP 40 ->x", "J x"))).toEqual({ core: 40 });
    expect(await figuresOf(program("R core.$v 40 ->x", "J x"), { strict: false, frame: { v: "sleep" } })).toEqual({
      core: 40,
    });
    expect(await figuresOf(program("X x sleep 40", "J x"))).toEqual({});
  });

  it("include the part of a wait that the run cut off", async () => {
    const cutOff = async (source: string, options: Run = {}) => {
      const stop = new AbortController();
      const running = figuresOf(source, { signal: stop.signal, ...options });
      stop.abort();
      return running;
    };
    expect(await cutOff(program("R core.SLEEP 40 ->x", "J x"))).toEqual({ core: 0 });
    expect(await cutOff(program("R core.$v 40 ->x", "J x"), { strict: false, frame: { v: "sleep" } })).toEqual({
      core: 0,
    });
    expect(await cutOff(program("X x sleep 40", "J x"))).toEqual({});
  });
});

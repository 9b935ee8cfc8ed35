/** Large sources of Python are compiled in a thread: what comes of them is what the compiler gives, and nothing waits for it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compileTask } from "../../../compiler/compile.ts";
import { completed } from "../../../grammar/text/task.ts";
import { partsOf, programOf } from "../../../service/programs/compile/parts.ts";
import { createHost } from "../../../vm/host.ts";
import { testClock } from "../../support/world.ts";
import { type Serving, serving } from "../serving.ts";

const HEADER = "# surface: python\n";

function source(functions: number, last = "return f0(0)"): string {
  const lines = [HEADER, `def main():\n    ${last}\n`];
  for (let at = 0; at < functions; at++)
    lines.push(`def f${at}(x):\n    if x > ${at}:\n        return [x, ${at}]\n    return {"a": x + ${at}}\n`);
  return lines.join("\n");
}

const unbound = (text: string) => completed(compileTask(text, { catalog: builtinCatalog }));

describe("a program that crosses threads", () => {
  it.each([
    ["with many nodes", source(700)],
    ["with a fault", source(3, "return g(0)")],
    ["with one function", source(1)],
  ])("%s is the same afterwards", (_title, text) => {
    const made = unbound(text);
    expect(completed(programOf(structuredClone(partsOf(made))))).toEqual(JSON.parse(JSON.stringify(made)));
  });
});

describe("a host with another compiler", () => {
  function host() {
    const asked: string[] = [];
    const made = createHost({
      clock: testClock(),
      facts: { uuid: () => "u", env: () => undefined },
      catalog: builtinCatalog,
      adapters: new Map(),
      traceId: () => "t",
      compileAside: async (text, options) => {
        asked.push(text);
        return completed(compileTask(text, options));
      },
    });
    return { made, asked };
  }

  it("gives it large sources of Python, once each", async () => {
    const { made, asked } = host();
    const text = source(700);
    expect(await made.compileInTurns(text)).toMatchObject({ ok: true, cached: false });
    expect(await made.compileInTurns(text)).toMatchObject({ ok: true, cached: true });
    expect(asked).toEqual([text]);
  });

  it.each([
    ["short ones", source(3)],
    ["opcode text", `L1:\n${"  Set a 1\n".repeat(5000)}  J a\n`],
  ])("keeps %s", async (_title, text) => {
    const { made, asked } = host();
    expect(await made.compileInTurns(text)).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });
});

describe("a service", () => {
  let service: Serving;
  beforeAll(async () => {
    service = await serving();
  });
  afterAll(() => service.stop());

  it("runs a large program, and says what is wrong with one", async () => {
    const right = await service.call("POST", "/run", { code: source(700) });
    expect(right.body).toMatchObject({ ok: true, out: { a: 0 } });
    const wrong = await service.call("POST", "/run", { code: source(700, "return nothing_like_it") });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("nothing_like_it");
  });
});

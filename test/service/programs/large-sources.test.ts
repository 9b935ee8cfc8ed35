/** Large sources are compiled in a thread: what comes of them is what the compiler gives, and nothing waits for it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compileUnbound } from "../../../compiler/compile.ts";
import { completed } from "../../../grammar/text/task.ts";
import { openJobStore } from "../../../service/jobs/open-store.ts";
import { jobTimes } from "../../../service/jobs/times.ts";
import { createJobsPart } from "../../../service/jobs-part.ts";
import { partsOf, programOf } from "../../../service/programs/compile/parts.ts";
import { createHost } from "../../../vm/host.ts";
import { includesIn } from "../../../vm/inputs/program-files.ts";
import { testClock } from "../../support/world.ts";
import { realClock, type Serving, serving } from "../serving.ts";

const HEADER = "# surface: python\n";

function source(functions: number, last = "return f0(0)"): string {
  const lines = [HEADER, `def main():\n    ${last}\n`];
  for (let at = 0; at < functions; at++)
    lines.push(`def f${at}(x):\n    if x > ${at}:\n        return [x, ${at}]\n    return {"a": x + ${at}}\n`);
  return lines.join("\n");
}

const unbound = (text: string) => compileUnbound(text, { catalog: builtinCatalog });

/** Opcode text. */
function steps(count: number, last = "J a1"): string {
  return `L1:\n${Array.from({ length: count }, (_, at) => `  X a${at} add ${at} 1\n`).join("")}  ${last}\n`;
}

describe("a program that crosses threads", () => {
  it.each([
    ["with many nodes", source(700)],
    ["with a fault", source(3, "return g(0)")],
    ["with one function", source(1)],
    ["of many steps", steps(5000)],
    [
      "that reads many names of its caller",
      steps(3, `J [${Array.from({ length: 5000 }, (_, at) => `n${at}`).join(", ")}]`),
    ],
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
        return compileUnbound(text, options);
      },
    });
    return { made, asked };
  }

  it.each([
    ["Python", source(700)],
    ["opcode text", steps(3000)],
  ])("gives it large sources of %s, once each", async (_title, text) => {
    const { made, asked } = host();
    expect(await made.compileInTurns(text)).toMatchObject({ ok: true, cached: false });
    expect(await made.compileInTurns(text)).toMatchObject({ ok: true, cached: true });
    expect(asked).toEqual([text]);
  });

  it("keeps short ones", async () => {
    const { made, asked } = host();
    expect(await made.compileInTurns(source(3))).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
  });

  const module = `LENTRY:\n  Set t "${"x".repeat(40_000)}"\n  J t\nLEXIT_OK:\n  J 1\n`;
  const main = 'include "long.wf" as long\nL1:\n  Call long/ENTRY ->x\n  J x\n';

  it("gives it a short source with its large files, and keeps one whose files only it can read", async () => {
    const { made, asked } = host();
    const reader = includesIn({ files: { "main.wf": main, "long.wf": module }, main: "main.wf" });
    expect(await made.compileInTurns(main, { includes: reader })).toMatchObject({ ok: true });
    expect(asked).toEqual([main]);
    const { read } = reader;
    expect(await made.compileInTurns(main, { includes: { read } })).toMatchObject({ ok: true });
    expect(asked).toEqual([main]);
  });
});

describe("a service", () => {
  let service: Serving;
  beforeAll(async () => {
    const place = { stateDir: null, databaseUrl: null, clock: realClock, owner: "o1", silentMs: 30_000 };
    const part = createJobsPart(await openJobStore(place), realClock, jobTimes(30_000));
    service = await serving({ variables: { WF_DEPLOY: "on" }, part });
  });
  afterAll(() => service.stop());

  it("runs a large program, and says what is wrong with one", async () => {
    const right = await service.call("POST", "/run", { code: source(700) });
    expect(right.body).toMatchObject({ ok: true, out: { a: 0 } });
    const wrong = await service.call("POST", "/run", { code: source(700, "return nothing_like_it") });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain("nothing_like_it");
  });

  it("runs a large program of opcode text, with the names that only its caller knows", async () => {
    const { body } = await service.call("POST", "/run", { code: steps(3000, "J [a7, given]"), frame: { given: 4 } });
    expect(body).toMatchObject({ ok: true, out: [8, 4] });
  });

  it("deploys a program with large files", async () => {
    const main = 'include "steps.wf" as steps\nL1:\n  Call steps/ENTRY ->x\n  J x\n';
    const module = steps(3000).replace("L1:", "LENTRY:");
    const files = { "main.wf": main, "steps.wf": `${module}LEXIT_OK:\n  J 1\n` };
    const { status } = await service.call("PUT", "/programs/large", { files, main: "main.wf" });
    expect(status).toBe(201);
    expect((await service.call("POST", "/run", { program: "large" })).body).toMatchObject({ ok: true, out: 2 });
  });
});

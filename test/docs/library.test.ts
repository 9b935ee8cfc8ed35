/** The library example of README.md is the tested file beside this one, and does what the README says. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtinCatalog, compile, loadBytecode } from "../../index.ts";
import { irOf, world } from "../support/world.ts";
import { failedOf } from "./many-frames.ts";
import { levelOf } from "./own-adapter.ts";

const text = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

describe("the library example of README.md", () => {
  it.each(["./own-adapter.ts", "./many-frames.ts"])("%s is in it, word for word", (file) => {
    const tested = text(file);
    const example = tested.slice(tested.indexOf("\nimport {") + 1).replace('"../../index.ts"', '"weft-runner"');
    expect(text("../../README.md")).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  });

  it("runs many frames", async () => {
    async function* frames() {
      yield { n: 2 };
      yield { n: 0 };
    }
    expect(await failedOf(world().host, irOf("# frame: n\nL1:\n  X r div 12 n\n  J r\n"), frames())).toEqual([1]);
  });

  it("calls the adapter it defines", async () => {
    expect(await levelOf("A1")).toMatchObject({ ok: true, out: 12, usage: { adapter_calls: 1 } });
    expect(await levelOf("B2")).toMatchObject({ ok: true, out: 0 });
  });

  it("compiles strict unless told otherwise, as it says", () => {
    const source = "L1:\n  J nobody_sets_this\n";
    expect(compile(source, { catalog: builtinCatalog }).ok).toBe(false);
    expect(compile(source, { catalog: builtinCatalog, strict: false }).ok).toBe(true);
  });

  it("has a reader of bytecode that never throws", () => {
    expect(loadBytecode(new Uint8Array(3))).toEqual({ ok: false, reason: "too short" });
  });
});

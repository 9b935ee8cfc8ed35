/** The library examples of the pages are the tested files next to this one, word for word, and do what the pages say. */
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { builtinCatalog, compile, normalizeGrant } from "../../index.ts";
import { irOf, world } from "../support/world.ts";
import { paidOf } from "./first-run.ts";
import { levelFor } from "./granted-run.ts";
import { failedOf } from "./many-frames.ts";
import { levelOf } from "./own-adapter.ts";
import { readPage } from "./page.ts";
import { surviving } from "./surviving-run.ts";
import { throughFile } from "./through-file.ts";

const text = (path: string): string => readFileSync(fileURLToPath(new URL(path, import.meta.url)), "utf8");

describe("library examples", () => {
  it.each([
    ["embedding.md", "first-run.ts"],
    ["embedding.md", "own-adapter.ts"],
    ["embedding.md", "granted-run.ts"],
    ["embedding.md", "many-frames.ts"],
    ["embedding.md", "through-file.ts"],
    ["embedding.md", "surviving-run.ts"],
  ])("docs/%s has %s word for word", (page, file) => {
    const tested = text(file);
    const example = tested
      .slice(tested.indexOf("\nimport {") + 1)
      .replace('"../../index.ts"', '"weft-runner"')
      .replace('"../../adapter.ts"', '"weft-runner/adapter"');
    expect(readPage(page).text).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  });

  it("compile and run", async () => {
    const orders = [
      { id: 1, paid: true },
      { id: 2, paid: false },
    ];
    expect(await paidOf(orders)).toMatchObject({ ok: true, out: { paid: 1, all: 2 }, limits: { max_steps: 1000 } });
  });

  it("call the adapter of a host", async () => {
    expect(await levelOf("A1")).toMatchObject({ ok: true, out: 12, usage: { adapter_calls: 1 } });
    expect(await levelOf("B2")).toMatchObject({ ok: true, out: 0 });
  });

  it("hold a caller to less than the runtime grants", async () => {
    expect(await levelFor({ limits: { max_steps: 10 } }, "A1")).toMatchObject({ out: 12, limits: { max_steps: 10 } });
    expect(await levelFor({ limits: { max_steps: 1 } }, "A1")).toMatchObject({ error: { code: "RUNTIME_MAX_STEPS" } });
    await expect(levelFor({ policy: { forbidden_adapters: ["stock"] } }, "A1")).rejects.toThrow("policy_violation");
  });

  it("run many frames", async () => {
    async function* frames() {
      yield { n: 2 };
      yield { n: 0 };
    }
    expect(await failedOf(world().host, irOf("# frame: n\nL1:\n  X r div 12 n\n  J r\n"), frames())).toEqual([1]);
  });

  it("run the lines of a file as rows of another", async () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-rows-"));
    try {
      const [from, to] = [join(folder, "in.ndjson"), join(folder, "out.ndjson")];
      writeFileSync(from, '{"n":4}\n{"n":0}\n{"n":3}\n');
      const out = createWriteStream(to);
      expect(await throughFile(world().host, irOf("def main(n):\n    return 12 // n\n"), from, out)).toBe(1);
      await new Promise<void>((then) => out.end(then));
      const rows = readFileSync(to, "utf8").split("\n");
      expect([rows[0], rows[2]]).toEqual(['{"ok":true,"out":3}', '{"ok":true,"out":4}']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("survive their process", async () => {
    const folder = mkdtempSync(join(tmpdir(), "weft-durable-"));
    const path = join(folder, "journal.db");
    try {
      const again = async () => surviving(world().host, irOf("L1:\n  J 5\n"), path, "a".repeat(32));
      expect(await again()).toMatchObject({ state: "ended", answer: { ok: true, out: 5 } });
      expect(await again()).toMatchObject({ state: "ended", answer: { ok: true, out: 5 } });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** Names that an entry of the package exports, with the file of each. What comes from a package is described there. */
function exportsOf(entry: string): { readonly name: string; readonly file: string }[] {
  return [...text(`../../${entry}`).matchAll(/export (?:type )?\{([^}]*)\} from "\.\/([^"]+)"/g)].flatMap(
    ([, names = "", file = ""]) =>
      names
        .split(",")
        .map((name) =>
          name
            .replace(/ as .*/, "")
            .replace(/\btype /, "")
            .trim(),
        )
        .filter((name) => name !== "" && name !== "z")
        .map((name) => ({ name, file })),
  );
}

/** Whether a comment stands directly above the declaration; a name that is only handed on is looked up where it comes from. */
function isDescribed(name: string, file: string): boolean {
  const source = text(`../../${file}`);
  const from = new RegExp(`export (?:type )?\\{[^}]*\\b${name}\\b[^}]*\\} from "([^"]+)"`).exec(source)?.[1];
  if (from !== undefined) return isDescribed(name, join(dirname(file), from));
  const kind = "(?:async )?(?:function\\*?|const|type|interface|class)";
  return new RegExp(`\\*/\\nexport ${kind} ${name}\\b`).test(source);
}

describe("the library", () => {
  it.each(["index.ts", "adapter.ts", "adapter-testing.ts", "client.ts"])(
    "says of every export of %s what it is",
    (entry) => {
      const names = exportsOf(entry);
      expect(names.length).toBeGreaterThan(10);
      expect(names.filter(({ name, file }) => !isDescribed(name, file))).toEqual([]);
    },
  );

  it("reads grants as docs/embedding.md calls it", () => {
    expect(readPage("embedding.md").text).toContain('normalizeGrant(value, "caller", { catalog })');
    const read = normalizeGrant({ allowed_adapters: ["CORE"] }, "caller", { catalog: builtinCatalog });
    expect(read).toMatchObject({ ok: true, grant: { allowed_adapters: ["core"] } });
  });

  it("compiles strict unless told otherwise", () => {
    const source = "L1:\n  J nobody_sets_this\n";
    expect(compile(source, { catalog: builtinCatalog }).ok).toBe(false);
    expect(compile(source, { catalog: builtinCatalog, strict: false }).ok).toBe(true);
  });
});

/**
 * The programs in the documentation work. A block marked `python`, or `wf` in the opcode form, is a whole program that compiles strict
 * without errors; a comment `# result: …` in it says what it gives, `# fails: CODE` how it fails. Blocks marked `python part` and
 * `wf part` are fragments, or Python that Weft does not run.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { format } from "../../grammar/print/print.ts";
import { wf } from "../cli/console.ts";
import { folderWith } from "../cli/folders.ts";
import { compiled, run } from "../support/world.ts";
import { PAGES } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const documents = [
  ...["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].filter((name) => existsSync(join(ROOT, name))),
  ...PAGES.map((name) => `docs/${name}`),
];

type Block = { readonly place: string; readonly source: string };

function blocksOf(document: string): Block[] {
  const text = readFileSync(join(ROOT, document), "utf8");
  return [...text.matchAll(/^```(?:python|wf)\n(.*?)^```$/gms)].map((match) => ({
    place: `${document}:${text.slice(0, match.index).split("\n").length + 1}`,
    source: match[1] ?? "",
  }));
}

const blocks = documents.flatMap(blocksOf);
const promise = (source: string, word: string): string | undefined =>
  new RegExp(`^# ${word}: (.+)$`, "m").exec(source)?.[1];

/** The one sample whose point is another layout, and the contract's first program, which is given to the byte. */
const AS_WRITTEN = [/^L1: R core\.MUL 6 7 ->n If n/m, /^S app api \/api\nL1:/m];

describe("the layout of programs", () => {
  const folder = join(ROOT, "examples");
  const examples = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".wf"))
    .map((name) => ({ place: `examples/${name}`, source: readFileSync(join(folder, name), "utf8") }));
  const samples = [...blocks.filter(({ place }) => /^(README|docs\/(language|errors))\.md:/.test(place)), ...examples];

  it.each(samples)("$place is that of wf fmt", ({ source }) => {
    if (AS_WRITTEN.some((sample) => sample.test(source))) return;
    expect(format(source)).toEqual({ ok: true, text: source });
  });
});

describe("programs in the documentation", () => {
  it("are found", () => {
    expect(blocks.filter(({ place }) => place.startsWith("docs/language.md")).length).toBeGreaterThan(15);
    expect(blocks.some(({ place }) => place.startsWith("README.md"))).toBe(true);
  });

  it.each(blocks)("$place", async ({ source }) => {
    const { diagnostics } = compiled(source);
    const errors = diagnostics
      .filter((one) => one.severity === "error")
      .map(({ span, code, message }) => `${span?.line}: ${code} ${message}`);
    expect(errors).toEqual([]);
    const result = promise(source, "result");
    const fails = promise(source, "fails");
    if (result === undefined && fails === undefined) return;
    const frame = JSON.parse(promise(source, "with") ?? "{}");
    const limits = JSON.parse(promise(source, "limits") ?? "{}");
    const answer = await run(source, { frame, limits });
    if (fails !== undefined) expect(answer.ok ? answer.out : answer.error.code).toBe(fails);
    else expect(answer.ok ? answer.out : answer.error).toEqual(JSON.parse(result ?? "null"));
  });

  // A call of the outside needs a mock in wf test.
  const shown = documents.flatMap((document) =>
    [
      ...readFileSync(join(ROOT, document), "utf8").matchAll(
        /`(examples\/[\w/-]+\.wf)`:\n\n```(?:python|wf)\n(.*?)^```$/gms,
      ),
    ].map(([, file = "", source = ""]) => ({ document, file, source })),
  );

  it.each(shown)("$document shows $file as it is", ({ file, source }) => {
    expect(source).toBe(readFileSync(join(ROOT, file), "utf8"));
  });

  it("show examples/hello.wf where the opcode form begins", () => {
    const pages = shown.filter(({ file }) => file === "examples/hello.wf").map(({ document }) => document);
    expect(pages).toEqual(["docs/language.md"]);
  });

  const promising = blocks.filter(
    ({ source }) => (promise(source, "result") ?? promise(source, "fails")) !== undefined && !source.includes("http."),
  );

  it.each(promising)(
    "$place, copied into a file, does with wf run and wf test what the page says",
    async ({ source }) => {
      const cwd = folderWith({ "copied.wf": source });
      expect((await wf(["test", "copied.wf"], { cwd })).stdout).toContain("1 test, 0 failed");
      const result = promise(source, "result");
      if (result === undefined) return;
      const { stdout } = await wf(["run", "copied.wf", "--json"], { cwd });
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, out: JSON.parse(result) });
    },
  );
});

/** `wf diagram`: forms, parts, overlays, and names of programs that would be syntax of a diagram. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../support/generators.ts";
import "../../support/property-seed.ts";
import { documentOf, wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const ORDER = [
  "S app api /api",
  "E /orders G ->L1 ->r",
  "L1:",
  '  R http.Get "https://api.example.com/v1" ->r',
  "  Err ->L_down",
  "  If r.ok ->L2 ->L_down",
  "L2:",
  '  R cache.set "rates" "eur" r ->done',
  "  J r",
  "L_down:",
  '  J "down"',
  "",
].join("\n");

/** Labels that call one another, the last one returns. */
const chain = (labels: number): string =>
  Array.from({ length: labels }, (_, at) =>
    at + 1 === labels ? `L${at + 1}:\n  J 1\n` : `L${at + 1}:\n  Call L${at + 2} ->x\n  J x\n`,
  ).join("");

const SPLIT =
  "def main(bill: float, people: int):\n    if people == 0:\n        return None\n    return bill / people\n";

describe("wf diagram of a program in Python", () => {
  it("shows the lines of its source, and with --steps or --label what the compiler made of them", async () => {
    const cwd = folderWith({ "split.wf": SPLIT });
    const { stdout } = await wf(["diagram", "split.wf"], { cwd });
    expect(stdout).toContain('["return bill / people"]');
    expect(stdout).toContain('-->|"true"|');
    expect(stdout).not.toMatch(/py\.|Py /);
    for (const flags of [["--steps"], ["--label", "main"], ["--no-clusters"]])
      expect((await wf(["diagram", "split.wf", ...flags], { cwd })).stdout).toContain("py.div");
  });

  it("says what a run did with each line", async () => {
    const cwd = folderWith({ "split.wf": SPLIT });
    const frame = '{"bill": 9.0, "people": 3}';
    await wf(["run", "split.wf", "--frame", frame, "--trace-out", "run.json"], { cwd });
    const { stdout } = await wf(["diagram", "split.wf", "--trace", "run.json"], { cwd });
    expect(stdout).toContain("return bill / people<br/>1×  0.000 ms");
    expect(stdout).not.toContain("return None<br/>");
  });
});

describe("wf diagram", () => {
  it("writes Mermaid: a frame per label, diamonds, dashed failures, letters of tiers", async () => {
    const cwd = folderWith({ "order.wf": ORDER });
    const result = await wf(["diagram", "order.wf"], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: "" });
    expect(result.stdout).toBe(
      [
        "flowchart TD",
        '  subgraph b4["L1"]',
        '    b1["[N] R http.Get<br/>#34;https://api.example.com/v1#34; -#62;r"]',
        '    b2["Err"]',
        '    b3{"If r.ok"}',
        "  end",
        '  subgraph b7["L2"]',
        '    b5["[L] R cache.set #34;rates#34; #34;eur#34; r -#62;done"]',
        '    b6["J r"]',
        "  end",
        '  subgraph b9["L#95;down"]'.replace("#95;", "_"),
        '    b8["J #34;down#34;"]',
        "  end",
        '  b10(["start"])',
        '  b11[["GET /orders"]]',
        '  b1 -.->|"err"| b2',
        "  b1 --> b2",
        '  b2 -.->|"handler"| b8',
        "  b2 --> b3",
        '  b3 -->|"else"| b8',
        '  b3 -->|"then"| b5',
        "  b5 --> b6",
        "  b10 --> b1",
        "  b11 --> b1",
        "  classDef local_state fill:#dcebfa,stroke:#1f5f99,color:#000000",
        "  class b5 local_state",
        "  classDef network fill:#fdecc8,stroke:#996300,color:#000000",
        "  class b1 network",
        "",
      ].join("\n"),
    );
    expect((await wf(["visualize", "order.wf"], { cwd })).stdout).toBe(result.stdout);
    expect((await wf(["graph", "-"], { stdin: ORDER })).stdout).toBe(result.stdout);
  });

  it("bounds the search for places in large diagrams, and leaves that of small ones as it is", async () => {
    const dot = async (labels: number) =>
      (await wf(["diagram", "-", "--loose", "--format", "dot"], { stdin: chain(labels) })).stdout;
    expect(await dot(40)).toContain("rankdir=TB]");
    expect(await dot(600)).toContain("rankdir=TB, nslimit=1, nslimit1=1]");
  });

  it.each([
    ["more boxes than are drawn at all", chain(5001), []],
    ["more than Graphviz has stack for", chain(4500), ["--no-clusters"]],
  ])("reports what is too large to be drawn, and the alternatives: %s", async (_title, stdin, flags) => {
    const result = await wf(["diagram", "-", "--format", "svg", ...flags], { stdin });
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(
      /^error result_too_large {2}a diagram of [\d,]+ boxes is too large to be drawn\n.*--labels-only/,
    );
  });

  it("writes text for Graphviz, SVG, and a page without scripts", async () => {
    const cwd = folderWith({ "order.wf": ORDER });
    const dot = (await wf(["diagram", "order.wf", "--format", "dot"], { cwd })).stdout;
    expect(dot).toContain('b3 [label="If r.ok", shape=diamond]');
    expect(dot).toContain('b2 -> b8 [label=" handler", style="dashed"]');
    expect(dot).toContain("peripheries=2");
    const svg = (await wf(["diagram", "order.wf", "--format", "svg"], { cwd })).stdout;
    expect(svg).toMatch(/^<\?xml[\s\S]*<svg [\s\S]*If r\.ok[\s\S]*<\/svg>\n$/);
    expect((await wf(["diagram", "order.wf", "-o", "order.html"], { cwd })).stdout).toBe("");
    const page = readFileSync(join(cwd, "order.html"), "utf8");
    expect(page).toContain("default-src 'none'");
    expect(page).not.toContain("<script");
    expect(page).toContain("<td>n3</td><td>6</td><td><code>If r.ok</code>");
  });

  it.each(["order.png", "order.foo"])("refuses to write %s unless a format is named", async (out) => {
    const cwd = folderWith({ "order.wf": ORDER });
    const refused = await wf(["diagram", "order.wf", "-o", out], { cwd });
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("use .mmd") });
    expect(existsSync(join(cwd, out))).toBe(false);
    expect((await wf(["diagram", "order.wf", "-o", out, "--format", "dot"], { cwd })).code).toBe(0);
    expect(readFileSync(join(cwd, out), "utf8")).toContain("digraph");
  });

  it("keeps to one label, to labels, or leaves frames out", async () => {
    const cwd = folderWith({ "order.wf": ORDER });
    const one = (await wf(["diagram", "order.wf", "--label", "L2"], { cwd })).stdout;
    expect(one).toContain('subgraph b3["L2"]');
    expect(one).not.toContain("http.Get");
    const labels = (await wf(["diagram", "order.wf", "--labels-only"], { cwd })).stdout;
    expect(labels).toContain('b1("[N] L1<br/>3 steps")');
    expect(labels).toContain('b1 -->|"handler else"| b3');
    const plain = (await wf(["diagram", "order.wf", "--no-clusters"], { cwd })).stdout;
    expect(plain).not.toContain("subgraph");
    expect(plain).toContain('b1["L1:<br/>');
    const unknown = await wf(["diagram", "order.wf", "--label", "L_dwn", "--json"], { cwd });
    expect(unknown.code).toBe(2);
    expect(documentOf(unknown)).toMatchObject({ error: "unknown_label", message: expect.stringContaining("L_down") });
  });

  it("shows what a run did", async () => {
    const program = "L1:\n  If x ->L2 ->L3\nL2:\n  R core.DIV 1 0 ->y\n  Err ->L3\n  J y\nL3:\n  J 3\n";
    const cwd = folderWith({ "a.wf": program });
    await wf(["run", "a.wf", "--frame-set", "x=true", "--trace-out", "a.trace.json"], { cwd });
    const flags = ["diagram", "a.wf", "--input", "x", "--trace", "a.trace.json"];
    const text = (await wf(flags, { cwd })).stdout;
    expect(text).toContain('b1{"If x<br/>1×  0.000 ms"}');
    expect(text).toContain('b3["R core.DIV 1 0 -#62;y<br/>1×  0.000 ms, 1 failed"]');
    expect(text).toContain('-->|"then 1×"| b3');
    expect(text).toContain('-.->|"handler 1×"|');
    expect(text).toContain('-->|"else"|');
    expect(text).toMatch(/linkStyle \d+(,\d+)* stroke-width:4px/);
    expect((await wf(["diagram", "a.wf", "--trace", "a.wf", "--input", "x"], { cwd })).code).toBe(2);
  });

  it("marks steps with compiler errors", async () => {
    const cwd = folderWith({ "a.wf": "L1:\n  Set total 1\n  J totl\n" });
    expect((await wf(["diagram", "a.wf"], { cwd })).code).toBe(1);
    const result = await wf(["diagram", "a.wf", "--errors"], { cwd });
    expect(result).toMatchObject({ code: 0, stderr: "note 1 error marked\n" });
    expect(result.stdout).toContain('b2["✗ J totl"]');
    expect(result.stdout).toMatch(/class b2 marked\n/);
    expect((await wf(["diagram", "-", "--errors"], { stdin: 'L1:\n  J "open\n' })).code).toBe(1);
  });

  it("answers JSON", async () => {
    const cwd = folderWith({ "order.wf": ORDER });
    expect(documentOf(await wf(["diagram", "order.wf", "--json"], { cwd }))).toEqual({
      ok: true,
      format: "mermaid",
      text: expect.stringMatching(/^flowchart TD\n/),
      checksum: expect.stringMatching(/^sha256:/),
      errors: 0,
    });
    const written = await wf(["diagram", "order.wf", "--json", "-o", "order.gv"], { cwd });
    expect(documentOf(written)).toMatchObject({ ok: true, format: "dot", path: "order.gv" });
    expect((await wf(["diagram", "order.wf", "--format", "png"], { cwd })).code).toBe(2);
  });

  it("never lets a text of the program become syntax", async () => {
    const hostile = [
      '"]; click b1 \\"javascript:alert(1)\\"',
      "</text><script>alert(1)</script>",
      "%%{init: {}}%%\\nend",
      '\\", shape=plain, URL=\\"javascript:alert(1)',
      "\\\\N\\\\G &lt;script&gt; \\u202e",
    ];
    const program = `L1:\n${hostile.map((text, at) => `  Set x${at} "${text.startsWith('"') ? text.slice(1) : text}"\n`).join("")}  J 1\n`;
    const cwd = folderWith({ "a.wf": program });
    const mermaid = (await wf(["diagram", "a.wf"], { cwd })).stdout;
    for (const line of mermaid.split("\n"))
      expect(line).toMatch(
        /^(flowchart TD| {2}subgraph b\d+\["L1"\]| {4}b\d+\["[^"<>{}%;&]*((#\d+;|<br\/>)[^"<>{}%;&]*)*"\]| {2}end| {2}b\d+\(\["start"\]\)| {2}b\d+ --> b\d+|)$/,
      );
    const named = folderWith({ "<script>.wf": program });
    expect((await wf(["diagram", "<script>.wf", "--format", "html"], { cwd: named })).stdout).not.toContain("<script");
    for (const format of ["svg", "html"]) {
      const drawn = (await wf(["diagram", "a.wf", "--format", format], { cwd })).stdout;
      expect(drawn).not.toMatch(/<script|href=|<a |\u202e/);
      expect(drawn).toContain("&lt;script&gt;");
    }
  });
});

describe("drawings of generated programs", () => {
  it("are accepted by Graphviz", { timeout: 60_000 }, async () => {
    for (const { source } of fc.sample(runs, 12)) {
      const stdin = `${source}L_odd:\n  J "\\"\\\\ <b> & \\u0000"\n`;
      const result = await wf(["diagram", "-", "--loose", "--format", "svg"], { stdin });
      expect(result, source).toMatchObject({ code: 0, stdout: expect.stringContaining("L_odd") });
    }
  });
});

describe("the picture in the documentation", () => {
  it("is that of the example", async () => {
    const result = await wf(["diagram", "examples/report.wf", "--format", "svg"], { cwd: ROOT });
    expect(result.stdout).toBe(readFileSync(join(ROOT, "docs/images/report.svg"), "utf8"));
  });
});

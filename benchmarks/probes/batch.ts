/**
 * `wf batch` over lines of JSON, next to a script of eight lines in Node, the same in CPython, `jq -c` and DuckDB where they are installed: a program in Python of
 * three steps, everything a process of its own. The shell reports processor time, which the load of the machine changes less than rows a second.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Figure, timed } from "../figure.ts";
import { median, summary } from "../statistics.ts";
import type { ProbeScope } from "./probe.ts";

const GROUP = "Lines of JSON through three steps";
const BUILT = "dist/wf.mjs";

const PROGRAM = `def main(qty: int, price: float, name: str):
    total = qty * price
    label = name.upper()
    return {"total": total, "label": label}
`;
const NODE = `import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
const out = createWriteStream(process.argv[3]);
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const { qty, price, name } = JSON.parse(line);
  const text = JSON.stringify({ ok: true, out: { total: qty * price, label: name.toUpperCase() } }) + "\\n";
  if (!out.write(text)) await new Promise((go) => out.once("drain", go));
}
`;
const CPYTHON = `import json, sys
with open(sys.argv[1]) as frames, open(sys.argv[2], "w") as out:
    for line in frames:
        frame = json.loads(line)
        total = frame["qty"] * frame["price"]
        label = frame["name"].upper()
        out.write(json.dumps({"ok": True, "out": {"total": total, "label": label}}) + "\\n")
`;
/** Its threads are as many as there are cores. */
const DUCKDB = `import { createRequire } from "node:module";
const [, , frames, out, packages] = process.argv;
const { DuckDBInstance } = createRequire(packages)("@duckdb/node-api");
const connection = await (await DuckDBInstance.create()).connect();
const columns = "{qty: 'BIGINT', price: 'DOUBLE', name: 'VARCHAR'}";
await connection.run(\`COPY (SELECT true AS ok, {total: qty * price, label: upper(name)} AS out
  FROM read_json('\${frames}', format = 'newline_delimited', columns = \${columns})) TO '\${out}' (FORMAT json)\`);
`;
const JQ = "{ok:true,out:{total:(.qty*.price),label:(.name|ascii_upcase)}}";

type Side = { readonly name: string; readonly words: readonly string[] };
type Ran = { readonly wallMs: number; readonly cpuMs: number };

export async function measureBatch({ root, quick }: ProbeScope): Promise<readonly Figure[] | null> {
  const built = join(root, BUILT);
  if (!existsSync(built)) return null;
  const folder = mkdtempSync(join(tmpdir(), "weft-bench-"));
  const at = (name: string): string => join(folder, name);
  const packages = join(root, "benchmarks", "package.json");
  try {
    for (const [name, text] of [
      ["program.py", PROGRAM],
      ["node.mjs", NODE],
      ["script.py", CPYTHON],
      ["duckdb.mjs", DUCKDB],
    ] as const)
      writeFileSync(at(name), text);
    const count = quick ? 20_000 : 300_000;
    writeFileSync(at("frames"), framesOf(count));
    writeFileSync(at("one"), framesOf(1));
    const wf = [process.execPath, built, "batch", at("program.py"), "--quiet", "--out", at("out"), "--in"];
    const node: Side = { name: "a script in Node", words: [process.execPath, at("node.mjs"), at("frames"), at("out")] };
    const alone: Side = { name: "wf batch, one thread", words: [...wf, at("frames"), "--jobs", "1"] };
    const begun: Side = { name: "wf batch, one frame", words: [...wf, at("one")] };
    const sides: readonly Side[] = [
      node,
      { name: "a script in CPython", words: ["python3", at("script.py"), at("frames"), at("out")] },
      { name: "jq -c", words: ["jq", "-c", JQ, at("frames")] },
      { name: "DuckDB", words: [process.execPath, at("duckdb.mjs"), at("frames"), at("out"), packages] },
      alone,
      { name: "wf batch, a thread for each core", words: [...wf, at("frames"), "--jobs", "64"] },
      { name: "wf batch, threads as it likes", words: [...wf, at("frames")] },
      begun,
    ];
    const times = new Map<Side, Ran[]>();
    for (let round = 0; round < (quick ? 1 : 5); round++)
      for (const side of sides) {
        const ran = run(side.words);
        if (ran !== null) times.set(side, [...(times.get(side) ?? []), ran]);
      }
    const cpuOf = (side: Side): number => median((times.get(side) ?? []).map(({ cpuMs }) => cpuMs));
    const figures = [...times].flatMap(([side, rounds]): Figure[] => {
      const rows = side === begun ? 1 : count;
      const wall = median(rounds.map(({ wallMs }) => wallMs));
      return [
        { group: GROUP, name: `${side.name}, rows`, value: (rows * 1000) / wall, unit: "lines/s" },
        {
          group: GROUP,
          name: `${side.name}, processor time of a row`,
          ...timed(summary(rounds.map(({ cpuMs }) => cpuMs)), "µs", rows),
        },
      ];
    });
    const ofNode = (name: string, cpu: number): Figure => ({
      group: GROUP,
      name,
      value: cpuOf(node) / cpu,
      unit: "×",
      target: { at_least: 0.9 },
    });
    return [
      ...figures,
      ofNode("wf batch on one thread, of the script in Node by processor time", cpuOf(alone)),
      ofNode("the same without its start", cpuOf(alone) - cpuOf(begun)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function framesOf(count: number): string {
  return Array.from({ length: count }, (_, at) => {
    const price = ((at * 7919) % 10_000) / 100;
    return `{"qty": ${(at % 50) + 1}, "price": ${price.toFixed(2)}, "name": "item-${at}"}\n`;
  }).join("");
}

/** null: it is not installed. */
function run([program = "", ...args]: readonly string[]): Ran | null {
  const since = performance.now();
  const { status, stdout } = spawnSync("sh", ["-c", '"$0" "$@" >/dev/null || exit 1; times', program, ...args], {
    encoding: "utf8",
  });
  const wallMs = performance.now() - since;
  if (status !== 0) return null;
  const spent = [...(stdout.trim().split("\n").at(-1) ?? "").matchAll(/(\d+)m([\d.]+)s/g)];
  return {
    wallMs,
    cpuMs: spent.reduce((sum, [, minutes, seconds]) => sum + (Number(minutes) * 60 + Number(seconds)) * 1000, 0),
  };
}

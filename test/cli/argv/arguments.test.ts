/** Words, flags, limits, frames: everything of a command line before a program is touched. */
import { describe, expect, it } from "vitest";
import { type CommandSpec, type PlainWords, parseArgv, wantsJson } from "../../../cli/argv/argv.ts";
import { adapterNames, flagOf, readLimits } from "../../../cli/grant/limit-flags.ts";
import { readFrame } from "../../../cli/input/frame.ts";
import { CliFault } from "../../../cli/session/faults.ts";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { RESOURCE_FLOOR } from "../../../vm/grant/limits.ts";
import { LIMIT_KEYS } from "../../../vm/run.ts";
import { verifies } from "../../support/requirements.ts";
import { wf } from "../console.ts";
import { folderWith } from "../folders.ts";

const run: CommandSpec = {
  names: ["run"],
  actions: null,
  notes: [],
  pages: [],
  usageLine: "wf run FILE [flags]",
  flags: [
    { names: ["--json"], takesValue: false, description: "", idle: false },
    { names: ["-q", "--quiet"], takesValue: false, description: "", idle: false },
    { names: ["-v", "--verbose"], takesValue: false, description: "", idle: false },
    { names: ["--strict"], takesValue: false, description: "", idle: false },
    { names: ["-o", "--out"], takesValue: true, description: "", idle: false },
    { names: ["--max-steps"], takesValue: true, description: "", idle: false },
  ],
};
const check: CommandSpec = { ...run, names: ["check", "validate"], usageLine: "wf check FILE... [flags]" };
const written = ({ command, flags, operands }: PlainWords): readonly string[] => [
  command,
  ...flags.map(({ name, value }) => (value === true ? name : `${name}=${value}`)),
  "--",
  ...operands,
];
const parse = (...argv: string[]) => parseArgv(argv, [run, check]);

function faultOf(work: () => unknown): CliFault {
  try {
    work();
  } catch (cause) {
    if (cause instanceof CliFault) return cause;
    throw cause;
  }
  throw new Error("no fault");
}

describe("the plain form of a command line", () => {
  it.each([
    [
      ["run", "a.wf", "--json"],
      ["run", "--json", "--", "a.wf"],
    ],
    [
      ["--json", "run", "a.wf"],
      ["run", "--json", "--", "a.wf"],
    ],
    [
      ["--max-steps", "5", "run", "a.wf"],
      ["run", "--max-steps=5", "--", "a.wf"],
    ],
    [
      ["run", "a.wf", "--max-steps", "-5"],
      ["run", "--max-steps=-5", "--", "a.wf"],
    ],
    [
      ["run", "-", "-o", "-"],
      ["run", "--out=-", "--", "-"],
    ],
    [
      ["run", "-qv", "a"],
      ["run", "--quiet", "--verbose", "--", "a"],
    ],
    [
      ["run", "--", "--json"],
      ["run", "--", "--json"],
    ],
    [
      ["run", "--out=a=b", "x"],
      ["run", "--out=a=b", "--", "x"],
    ],
    [
      ["validate", "a", "b"],
      ["check", "--", "a", "b"],
    ],
  ])("%j → %j", (argv, expected) => {
    const parsed = parseArgv(argv, [run, check]);
    expect(parsed.kind === "command" && written(parsed.words)).toEqual(expected);
  });

  it("finds help, version and nothing", () => {
    expect(parse().kind).toBe("overview");
    expect(parse("--help").kind).toBe("overview");
    expect(parse("help").kind).toBe("overview");
    expect(parse("help", "validate")).toEqual({ kind: "help", command: check, action: null });
    expect(parse("run", "-h")).toEqual({ kind: "help", command: run, action: null });
    expect(parse("--version", "--json").kind).toBe("version");
  });

  it.each([
    [["run", "--stirct"], "unknown option --stirct; did you mean --strict?"],
    [["run", "--zzzzzz=1"], "unknown option --zzzzzz"],
    [["--stirct"], "unknown option --stirct; did you mean --strict?"],
    [["rnu", "a.wf"], "unknown command rnu"],
    [["chekc", "a.wf"], "unknown command chekc; did you mean check?"],
    [["flows/a.wf"], "unknown command flows/a.wf; did you mean run flows/a.wf?"],
    [["run", "--max-steps"], "option --max-steps needs a value"],
    [["run", "--max-steps", "--json"], "option --max-steps needs a value"],
    [["run", "--json=true"], "option --json takes no value"],
  ])("%j is refused: %s", (argv, message) => {
    const fault = faultOf(() => parseArgv(argv, [run, check]));
    expect(fault.message).toMatch(message);
    expect(fault.exitCode).toBe(2);
    expect(fault.notes.join()).toContain("usage: wf");
  });

  it("is refused with the flag as the user typed it", async () => {
    const messageOf = async (...argv: string[]) => (await wf(argv, { stdin: "L1:\n  J 1\n" })).stderr.split("\n")[0];
    expect(await messageOf("run", "-", "--frame-json", "@-")).toMatch(/^--frame-json @- and the program/);
    expect(await messageOf("run", "-", "--frame", "[1]")).toMatch(/^option --frame needs a JSON object/);
    expect(await messageOf("run", "-", "--frame-json=[1]")).toMatch(/^option --frame-json needs a JSON object/);
    expect(await messageOf("run", "-", "--json", "--log-trajectory", "-")).toMatch(/^--log-trajectory - and --json/);
    expect(await messageOf("jobs", "submit", "-", "--frames", "-", "--frame-json", "{}")).toMatch(
      /^--frames and --frame-json exclude each other/,
    );
  });

  it("detects --json before parsing anything else", () => {
    expect(wantsJson(["run", "--nonsense", "--json"])).toBe(true);
    expect(wantsJson(["check", "--format", "json"])).toBe(true);
    expect(wantsJson(["run", "--", "--json"])).toBe(false);
  });
});

describe("limits", () => {
  it("start from the resource floor, and every key has its flag", () => {
    verifies("limit.flags");
    expect(readLimits({}).limits).toEqual({
      max_steps: 500_000,
      max_depth: 500,
      max_adapter_calls: 50_000,
      max_time_ms: 900_000,
    });
    for (const key of LIMIT_KEYS) expect(readLimits({ [key]: "7" }).limits).toEqual({ ...RESOURCE_FLOOR, [key]: 7 });
    expect(flagOf("max_time_ms")).toBe("--max-time-ms");
  });

  it("are replaced by flags, above the floor as well", () => {
    expect(readLimits({ max_steps: "9000000" }).limits.max_steps).toBe(9_000_000);
  });

  it("are ignored with a warning when not positive; zero calls is a value", () => {
    verifies("cli.flag.max-adapter-calls");
    for (const key of LIMIT_KEYS) {
      const least = key === "max_adapter_calls" || key === "cleanup_calls" ? "-1" : "0";
      const read = readLimits({ [key]: least });
      expect(read.limits).toEqual(RESOURCE_FLOOR);
      expect(read.warnings).toHaveLength(1);
      expect(read.warnings[0]).toMatch(new RegExp(`^limit_ignored: ${key} `));
    }
    expect(readLimits({ max_adapter_calls: "0" })).toEqual({
      limits: { ...RESOURCE_FLOOR, max_adapter_calls: 0 },
      warnings: [],
    });
  });

  it.each(["2.5", "ten", "", "1e3", "0x10", "99999999999999999999", " 5", "NaN"])("%j is a usage error", (text) => {
    const fault = faultOf(() => readLimits({ max_steps: text }));
    expect(fault.exitCode).toBe(2);
    expect(fault.message).toContain("--max-steps");
  });
});

describe("adapter names", () => {
  it("are the nineteen of the contract, core included", () => {
    verifies("cli.flag.enable-adapter");
    const names =
      "core http db sqlite fs tools wasm cache queue txn auth memory agent svc extras videomon email calendar social".split(
        " ",
      );
    expect(names).toHaveLength(19);
    expect(adapterNames("--enable-adapter", names, builtinCatalog)).toEqual(names);
    expect(adapterNames("--enable-adapter", ["core,http", "core"], builtinCatalog)).toEqual(["core", "http"]);
  });

  it("name the nearest one when unknown", () => {
    const fault = faultOf(() => adapterNames("--enable-adapter", ["htpt"], builtinCatalog));
    expect(fault.exitCode).toBe(2);
    expect(fault.message).toMatch(/unknown adapter 'htpt'/);
    expect(faultOf(() => adapterNames("--enable-adapter", ["sqlit"], builtinCatalog)).message).toContain(
      "did you mean sqlite?",
    );
  });
});

describe("frames", () => {
  it("come from JSON, a file and single names", () => {
    const cwd = folderWith({ "f.json": '{"a": 1, "b": [true]}' });
    expect(readFrame(cwd, "@f.json", ['a="x"', "c=null", "d=x=1".replace("x=1", "2")]).frame).toEqual({
      a: "x",
      b: [true],
      c: null,
      d: 2,
    });
  });

  it("keep members with dangerous names as data", () => {
    const { frame } = readFrame("/", '{"__proto__": {"polluted": 1}, "constructor": 2}', undefined);
    expect(Object.keys(frame)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(frame)).toBe(Object.prototype);
    expect(Object.hasOwn({}, "polluted")).toBe(false);
  });

  it.each([
    ["[1]", undefined, "JSON object"],
    ["nonsense", undefined, "not JSON"],
    ['{"a": 1e999}', undefined, "out of range"],
    [`{"a": ${"[".repeat(600)}${"]".repeat(600)}}`, undefined, "deeper"],
    [undefined, ["a"], "NAME=JSON"],
    [undefined, ["a=x"], "not JSON"],
    ["@missing.json", undefined, "does not exist"],
  ])("%s %j is a usage error", (frame, set, message) => {
    const fault = faultOf(() => readFrame(folderWith({}), frame, set));
    expect(fault.exitCode).toBe(2);
    expect(fault.message).toContain(message);
  });
});

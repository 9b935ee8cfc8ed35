/** Errors outside of the program itself: exit codes, fault kinds, and a stdout that stays one JSON document. */
import { chmodSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseInput } from "../../cli/input/input.ts";
import { COMMANDS } from "../../cli/registry.ts";
import { verifies } from "../support/requirements.ts";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";
const READERS = ["run", "check", "lint", "compile", "inspect", "disasm", "fmt"];

it.each(["run", "batch", "compile", "diagram"])("wf %s does not write over the program", async (command) => {
  const cwd = folderWith({ "hello.wf": HELLO, "in.ndjson": "{}\n" });
  symlinkSync("hello.wf", join(cwd, "link.json"));
  const flags = { batch: ["--in", "in.ndjson"], diagram: ["--format", "dot"] }[command] ?? [];
  const { code, stderr } = await wf([command, "hello.wf", ...flags, "--out", "link.json"], { cwd });
  expect([code, stderr]).toEqual([2, "hello.wf is the program itself; write to another file\n"]);
  expect(readFileSync(join(cwd, "hello.wf"), "utf8")).toBe(HELLO);
});

it("two results of one run are not written to one file", async () => {
  const cwd = folderWith({ "hello.wf": HELLO });
  const files = ["--record", "log.json", "--trace-out", "./log.json"];
  expect(await wf(["run", "hello.wf", ...files], { cwd })).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "./log.json is named for two results; give each a file of its own\n",
  });
  const nowhere = ["--record", "/dev/null", "--trace-out", "/dev/null"];
  expect((await wf(["run", "hello.wf", ...nowhere], { cwd })).code).toBe(0);
});

describe.each(READERS)("wf %s", (command) => {
  it.each([
    ["missing.wf", "path_not_found"],
    ["folder.wf", "path_not_a_file"],
    ["empty.wf", "empty_source"],
    ["blank.wf", "empty_source"],
    ["bytes.wf", "unicode_decode_error"],
    ["large.wf", "source_too_large"],
  ])("%s is %s and ends with 2", async (file, kind) => {
    verifies("cli.exit.2");
    const cwd = folderWith({
      "hello.wf": HELLO,
      "folder.wf/sub/inner.txt": "",
      "empty.wf": "",
      "blank.wf": "\uFEFF \n\n",
      "bytes.wf": Uint8Array.of(0x4c, 0xc3, 0x28),
      "large.wf": `L1:\n  J 1\n#${"x".repeat(1024 * 1024)}`,
    });
    // check, lint and fmt take folders: there it is an empty one.
    if (file === "folder.wf" && ["check", "lint", "fmt"].includes(command)) {
      expect((await wf([command, file, "--json"], { cwd })).code).toBe(2);
      return;
    }
    const result = await wf([command, file, "--json"], { cwd });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({
      ok: false,
      error: "input_error",
      error_kind: kind,
      message: expect.any(String),
      trace_id: expect.any(String),
    });
    const text = await wf([command, file], { cwd });
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toContain(`error ${kind}  `);
  });

  it("a path that leads nowhere is not a defect", async () => {
    const cwd = folderWith({ "hello.wf": HELLO });
    symlinkSync("circle.wf", join(cwd, "circle.wf"));
    const kinds = { "hello.wf/inner.wf": "path_not_found", "circle.wf": "unreadable" };
    for (const [file, error_kind] of [...Object.entries(kinds), [`${"n".repeat(300)}.wf`, "path_not_found"]] as const) {
      const result = await wf([command, file, "--json"], { cwd });
      expect(result.code).toBe(2);
      expect(documentOf(result)).toMatchObject({ error: "input_error", error_kind });
    }
  });

  it("needs a file when standard input is a terminal", async () => {
    verifies("cli.exit.2");
    const result = await wf([command]);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toContain("missing FILE");
  });

  it("refuses unknown flags with the nearest one, as JSON too", async () => {
    verifies("cli.json-pure");
    const text = await wf([command, "--jsno", "a.wf"]);
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toMatch(new RegExp(`^unknown option --jsno; did you mean --json\\?\nusage: wf ${command} `));
    const json = await wf([command, "--json", "--nonsense", "a.wf"]);
    expect(json.code).toBe(2);
    expect(documentOf(json)).toMatchObject({ ok: false, error: "usage_error", message: "unknown option --nonsense" });
  });
});

describe("faults", () => {
  it("name up to twenty programs of the folder", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 25 }, (_, index) => [`p${String(index).padStart(2, "0")}.wf`, HELLO]),
    );
    const result = await wf(["run", "p.wf", "--json"], { cwd: folderWith(files) });
    expect(documentOf(result)["siblings"]).toHaveLength(20);
  });

  it("of a missing program name files with its extension", async () => {
    const cwd = folderWith({ "a.wf": HELLO, "b.json": "{}" });
    const result = await wf(["run", "a.wf", "--frame", "@c.json"], { cwd });
    expect(result).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("c.json does not exist; .json files there: b.json\n"),
    });
    expect((await wf(["run", "a.wf", "--frame", "@c.csv"], { cwd })).stderr).toMatch(/c\.csv does not exist\n$/);
  });

  it("start with their kind also among other files", async () => {
    const cwd = folderWith({ "a.wf": HELLO, "b.wf": Uint8Array.of(0xff) });
    const result = await wf(["check", "a.wf", "b.wf"], { cwd });
    expect(result).toMatchObject({ code: 2, stderr: "error unicode_decode_error  b.wf is not UTF-8 text\n" });
  });

  it.each(["", "\uFEFF"])("say that a file is UTF-16, after %j", async (mark) => {
    const little = Buffer.from(`${mark}L1:\n  J 1\n`, "utf16le");
    const cwd = folderWith({ "little.wf": little, "big.wf": Buffer.from(little).swap16() });
    for (const file of ["little.wf", "big.wf"]) {
      const stderr = `error unicode_decode_error  ${file} is UTF-16 text, not UTF-8: save it as UTF-8\n`;
      expect(await wf(["run", file], { cwd })).toMatchObject({ code: 2, stderr });
      expect(await wf(["run", "-"], { cwd, stdin: little })).toMatchObject({
        code: 2,
        stderr: stderr.replace(file, "<stdin>"),
      });
    }
  });

  // A shell gives it for a variable that is not set.
  it.each([
    ["check", ""],
    ["fmt", ""],
    ["test", ""],
    ["init", ""],
    ["run", "a.wf", "--fs-root", ""],
    ["run", "a.wf", "--fs-root="],
    ["run", "a.wf", "--cwd", ""],
    ["run", "a.wf", "--out", ""],
    ["replay", "--check", ""],
  ])("an empty name is not the working folder: wf %s %j %s %j", async (...argv) => {
    const cwd = folderWith({ "a.wf": "L1:\n J 1\n" });
    const result = await wf(
      argv.filter((word) => word !== undefined),
      { cwd },
    );
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(
      /^(?:error path_not_a_file {2})?(?:the name of the \w+ is empty|option --[a-z-]+ needs)/,
    );
    expect(readFileSync(join(cwd, "a.wf"), "utf8")).toBe("L1:\n J 1\n");
  });

  it("an empty string is reported as invalid JSON where a file or JSON may be given", async () => {
    const cwd = folderWith({ "a.wf": HELLO });
    expect(await wf(["run", "a.wf", "--frame", ""], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^option --frame: the value is not JSON/),
    });
  });

  it.skipIf(process.getuid?.() === 0)("say when a file may not be read", async () => {
    const cwd = folderWith({ "a.wf": HELLO });
    chmodSync(join(cwd, "a.wf"), 0o000);
    expect(documentOf(await wf(["run", "a.wf", "--json"], { cwd }))).toMatchObject({ error_kind: "permission_denied" });
  });

  it("of IR end with 1 and list issues", async () => {
    verifies("cli.exit.1");
    const cwd = folderWith({
      "a.json": '{"ir_version": "1.0", "nodes": 5}',
      "b.json": "not json",
      "c.json": '{"ir_version": "2.0", "nodes": [], "edges": []}',
    });
    for (const [file, error] of [
      ["a.json", "invalid_ir"],
      ["b.json", "invalid_ir"],
      ["c.json", "unsupported_ir_version"],
    ] as const) {
      const result = await wf(["run", file, "--json"], { cwd });
      expect(result.code).toBe(1);
      expect(documentOf(result)).toMatchObject({
        ok: false,
        error,
        message: expect.stringContaining(`${file}: `),
        issues: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
      });
    }
  });

  it("of IR that is not JSON say where it stops being that", async () => {
    const cwd = folderWith({ "a.json": '\uFEFF{"ir_version": "1.0",\n "nodes": [}', "b.json": '"L1:"' });
    expect(await wf(["run", "a.json"], { cwd })).toMatchObject({
      code: 1,
      stderr: "error invalid_ir  a.json: it is not JSON at line 2, column 12\n",
    });
    expect((await wf(["run", "b.json"], { cwd })).stderr).toContain("b.json: the IR: expected an IR object");
  });

  it("of IR that is not JSON come from the reader", () => {
    const read = (text: string) => parseInput("a.json", null, Buffer.from(text)).content;
    expect(read("L1:")).toEqual({ kind: "ir", value: "L1:", fault: "it is not JSON at line 1, column 1" });
    expect(read('"L1:"')).toEqual({ kind: "ir", value: "L1:", fault: null });
  });

  it("of the label end with 2 and name near ones", async () => {
    verifies("cli.exit.2");
    const result = await wf(["run", "-", "--json", "--label", "L_stat"], {
      stdin: "L_start:\n  J 1\nL_stap:\n  J 2\n",
    });
    expect(result.code).toBe(2);
    expect(documentOf(result)).toMatchObject({ error: "unknown_label", message: expect.stringContaining("L_sta") });
    const far = await wf(["run", "-", "--label", "elsewhere"], { stdin: "L1:\n  J 1\nL_two:\n  J 2\n" });
    expect(far.stderr).toContain("label 'elsewhere' does not exist; the program has L1 and L_two\n");
    expect((await wf(["run", "-", "--json"], { stdin: "# nothing\n" })).code).toBe(1);
  });

  it.each([
    [["rnu"], "unknown command rnu"],
    [["run", "a", "b"], "too many operands"],
    [["run", "a", "--max-steps", "2.5"], "option --max-steps needs a whole number"],
    [["run", "a", "--enable-adapter", "sqlit"], "did you mean sqlite?"],
    [["run", "a", "--color", "pink"], "option --color needs auto, always or never"],
    [["run", "a", "--frame", "{"], "not JSON"],
    [["explain", "WF0"], "no entry for 'WF0'"],
  ])("%j is a usage error", async (argv, message) => {
    verifies("cli.exit.2", "cli.json-pure");
    const text = await wf(argv);
    expect(text).toMatchObject({ code: 2, stdout: "" });
    expect(text.stderr).toContain(message);
    const json = await wf([...argv, "--json"]);
    expect(json.code).toBe(2);
    expect(documentOf(json)).toMatchObject({ ok: false, error: "usage_error" });
  });

  it("of the environment end with 2", async () => {
    expect((await wf(["run", "-"], { stdin: HELLO, environment: { WF_FRAME_CEILING_BYTES: "lots" } })).code).toBe(2);
  });

  it("defects give an incident id, and the stack only with -v", async () => {
    const broken: NonNullable<Parameters<typeof wf>[1]>["host"] = {
      catalog: { version: "x", adapter: () => undefined, names: () => [] },
      adapters: new Map(),
      tier: "none",
      readsVariable: () => false,
      prepare: () => {
        throw new Error("unused");
      },
      compile: () => {
        throw new Error("secret detail");
      },
      compileInTurns: () => Promise.reject(new Error("unused")),
      normalizeInTurns: () => Promise.reject(new Error("unused")),
      programInTurns: () => Promise.reject(new Error("unused")),
      checkPolicy: () => ({ ok: true, errors: [], warnings: [] }),
      program: () => {
        throw new Error("unused");
      },
      resolveLabel: () => ({ id: null, near: [] }),
      run: () => Promise.reject(new Error("unused")),
      runSync: () => {
        throw new Error("unused");
      },
      batch: () => {
        throw new Error("unused");
      },
      durable: () => {
        throw new Error("unused");
      },
    };
    const result = await wf(["run", "-", "--json"], { stdin: HELLO, host: broken });
    expect(result.code).toBe(70);
    expect(documentOf(result)).toMatchObject({ ok: false, error: "internal_error" });
    expect(result.stdout + result.stderr).not.toContain("secret detail");
    expect(result.stderr).toMatch(/^internal error [0-9a-f-]{36}; please report\n$/);
    const debug = await wf(["run", "-"], { stdin: HELLO, host: broken, environment: { WF_DEBUG: "1" } });
    expect(debug.stderr).toContain("secret detail");
  });

  it("settings of the services are mentioned, not read", async () => {
    const result = await wf(["run", "-"], { stdin: HELLO, environment: { WF_SECURITY_PROFILE: "local_minimal" } });
    expect(result).toMatchObject({ code: 0, stdout: "5\n" });
    expect(result.stderr).toContain("wf run ignores WF_SECURITY_PROFILE");
  });

  it("only exposed host variables are readable", async () => {
    const stdin = 'L1:\n  R core.ENV "SECRET" ->a\n  R core.ENV "SHOWN" ->b\n  J [a, b]\n';
    const environment = { SECRET: "s", SHOWN: "v", WF_EXPOSE_ENV: "SHOWN, MISSING" };
    expect(documentOf(await wf(["run", "-", "--json"], { stdin, environment }))["out"]).toEqual([null, "v"]);
  });
});

describe("--json", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "L1:",
      "L2:",
      "L1: J 1",
      "  J x",
      "  J 1",
      "  R core.ADD 1 2 ->x",
      "  R core.DIV 1 0 ->x",
      "  If x ->L1 ->L2",
      "  Call L2 ->y",
      "  Set x [1, 2",
      '  J "open',
    ),
    fc.constantFrom(
      "  Loop x i ->L2 ->L1",
      "  While 1 ->L2 ->L1 limit=3",
      "Q q",
      "E /a G ->L1",
      'include "x.wf" as x',
      "  J \u001b[31m",
      "  X y upper \u009b2J",
      "  R http.Get u ->r",
      "  Err @n1 ->L2",
    ),
    fc.string({ unit: "binary", maxLength: 30 }),
  );

  it("leaves one document on stdout for any program", async () => {
    verifies("cli.json-pure");
    const commands = fc.constantFrom(...READERS);
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 12 }), commands, async (lines, command) => {
        const result = await wf([command, "-", "--json", ...(command === "run" ? ["--max-steps", "200"] : [])], {
          stdin: lines.join("\n"),
        });
        const document = documentOf(result);
        expect([0, 1, 2]).toContain(result.code);
        if (command !== "compile" || result.code !== 0) expect(document["ok"]).toBe(result.code === 0);
        expect(result.stdout).not.toMatch(/(?!\n)\p{Cc}/u);
        expect(result.stderr).not.toMatch(/(?!\n)\p{Cc}/u);
      }),
      { numRuns: 200 },
    );
  });

  it("never prints control characters as text either", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 8 }),
        fc.constantFrom("check", "lint", "inspect", "disasm"),
        async (lines, command) => {
          const result = await wf([command, "-"], { stdin: lines.join("\n") });
          expect(result.stdout + result.stderr).not.toMatch(/(?!\n)[\p{Cc}\u202a-\u202e]/u);
        },
      ),
      { numRuns: 60 },
    );
  });

  it.each(COMMANDS.map(({ names }) => names[0]))("makes the help of %s one document", async (name) => {
    expect(documentOf(await wf([name, "--help", "--json"]))).toMatchObject({
      ok: true,
      help: expect.stringContaining(`usage: wf ${name}`),
    });
  });
});

/** What people meet in their first hour: misspelt commands, broken frames, links, bytecode files, long stacks. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADAPTER_CODES } from "../../adapters/errors.ts";
import { RUNTIME_CODES, type RuntimeCode, surfaceWord, WORDS_BY_DATA } from "../../vm/errors/error-codes.ts";
import { documentOf, wf } from "./console.ts";
import { folderWith } from "./folders.ts";

const HELLO = "L1:\n  R core.ADD 2 3 ->x\n  J x\n";

describe("words in the wrong place", () => {
  it("name the nearest command, also for letters in the wrong order", async () => {
    expect((await wf(["rnu", "a.wf"])).stderr).toContain("unknown command rnu; did you mean run?");
    expect((await wf(["chekc"])).stderr).toContain("did you mean check?");
    expect((await wf(["zzzz"])).stderr).not.toContain("did you mean");
  });

  it("get help on help, and the way to ask for the version", async () => {
    expect((await wf(["help", "help"])).stdout).toBe((await wf(["help"])).stdout);
    const result = await wf(["run", "a.wf", "--version"]);
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).toContain("--version stands alone: wf --version");
  });

  it("say what is wrong with --cwd", async () => {
    const cwd = folderWith({ "a.wf": HELLO });
    expect((await wf(["run", "a.wf", "--cwd", "nope"], { cwd })).stderr).toContain("--cwd: nope does not exist");
    expect((await wf(["run", "a.wf", "--cwd", "a.wf"], { cwd })).stderr).toContain("--cwd: a.wf is not a folder");
  });
});

describe("a flag that cannot hold", () => {
  it("of the service is named as it was given, as a flag or a variable", async () => {
    expect(await wf(["serve", "--port", "abc"])).toMatchObject({ code: 2 });
    expect((await wf(["serve", "--port", "abc"])).stderr).toContain("option --port must be a whole number");
    const { stderr } = await wf(["serve", "--port", "0"], { environment: { WF_WORKER_THREADS: "many" } });
    expect(stderr).toContain("environment variable WF_WORKER_THREADS must be");
  });

  it("of a host shows the form of hosts, and an unknown setting the known ones", async () => {
    const cwd = folderWith({ "a.wf": HELLO });
    const host = await wf(["run", "a.wf", "--http-allow-host", "https://example.com/x"], { cwd });
    expect(host).toMatchObject({ code: 2 });
    expect(host.stderr).toContain("host patterns such as api.example.com or *.example.com, without scheme and path");
    const setting = await wf(["run", "a.wf", "--set", "http.hosts=1"], { cwd });
    expect(setting.stderr).toMatch(/unknown setting 'hosts'; known: .*allow_hosts/);
  });

  it("that the shell split is reported with the quotes that it needs", async () => {
    const cwd = folderWith({ "a.wf": HELLO });
    const { code, stderr } = await wf(["run", "a.wf", "--frame", "{n:", "1}"], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'too many operands: a.wf 1}\nJSON needs quotes for the shell: --frame \'{"name": "Ann"}\'',
    );
    expect((await wf(["run", "a.wf", "b.wf"], { cwd })).stderr).not.toContain("quotes");
  });

  it("and an output that cannot be written are reported with the reason", async () => {
    const cwd = folderWith({ "a.wf": HELLO });
    expect((await wf(["run", "a.wf", "--out", "no/x"], { cwd })).stderr).toContain(
      "(ENOENT): its folder does not exist",
    );
    expect((await wf(["run", "a.wf", "--record", "."], { cwd })).stderr).toContain("(EISDIR): it is a folder");
    expect((await wf(["init", "a.wf"], { cwd })).stderr).toContain(
      "(EEXIST): a file stands where its folder should be",
    );
    expect((await wf(["run", ""], { cwd })).stderr).toContain("the name of the file is empty");
  });
});

describe("wf explain", () => {
  it("knows every word a surface can show, and the adapter codes of the runtime", async () => {
    const words = new Set<string>(Object.keys(ADAPTER_CODES));
    for (const [code, { word }] of Object.entries(RUNTIME_CODES)) {
      if (word !== null) words.add(word);
      else for (const one of WORDS_BY_DATA[code as RuntimeCode] ?? []) words.add(one);
    }
    for (const data of [{}, { adapter_code: "ADAPTER_NOT_CONFIGURED" }])
      expect(WORDS_BY_DATA.RUNTIME_ADAPTER_ERROR).toContain(surfaceWord("RUNTIME_ADAPTER_ERROR", data));
    for (const data of [{}, { limit_source: "max_loop_iters" }])
      expect(WORDS_BY_DATA.RUNTIME_WHILE_LIMIT).toContain(surfaceWord("RUNTIME_WHILE_LIMIT", data));
    for (const word of words) expect((await wf(["explain", word])).code, word).toBe(0);
    expect((await wf(["explain", "adapter_not_available"])).stdout).toContain("ADAPTER_NOT_CONFIGURED");
  });
});

describe("a frame", () => {
  const program = "L1:\n  J $id\n";

  it("from a broken file is named with the place", async () => {
    const cwd = folderWith({ "a.wf": program, "f.json": '{\n  "id": 1,\n  "b" 2\n}\n' });
    const result = await wf(["run", "a.wf", "--frame", "@f.json"], { cwd });
    expect(result).toMatchObject({ code: 2 });
    expect(result.stderr).toContain("option --frame: f.json is not JSON at line 3, column 7");
  });

  it("comes from standard input with @-, unless the program does", async () => {
    const cwd = folderWith({ "a.wf": program });
    expect((await wf(["run", "a.wf", "--frame", "@-"], { cwd, stdin: '{"id": 7}' })).stdout).toBe("7\n");
    expect((await wf(["run", "a.wf", "--frame", "@-"], { cwd, stdin: '\uFEFF{"id": 8}' })).stdout).toBe("8\n");
    expect((await wf(["run", "-", "--frame", "@-"], { cwd, stdin: program })).code).toBe(2);
    const nested = await wf(["run", "a.wf", "--frame", "@-"], { cwd, stdin: "@a.wf" });
    expect(nested.stderr).toContain("<stdin> is not JSON at line 1, column 1");
  });

  it("warns of whole numbers that lose digits, and only of those", async () => {
    const cwd = folderWith({ "a.wf": program });
    const frame = '{"id": 9007199254740993, "text": "9007199254740993 \\" 9007199254740995", "f": 1e30, "n": -12}';
    const result = await wf(["run", "a.wf", "--frame", frame, "--json"], { cwd });
    expect(documentOf(result)["warnings"]).toEqual([
      "number_precision: --frame: 9007199254740993 is beyond 2^53 and becomes 9007199254740992; give it as text to keep its digits",
    ]);
    const refused = await wf(["run", "a.wf", "--frame", '{"id": 9007199254740993}', "--strict"], { cwd });
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("option --frame: 9007199254740993 is beyond 2^53 and becomes 9007199254740992");
  });
});

describe("a program", () => {
  it("whose include is a link out of the roots is refused as outside", async () => {
    const outside = folderWith({ "m.wf": "LENTRY:\n  J 1\nLEXIT_ok:\n  J 1\n" });
    const cwd = folderWith({ "a.wf": 'include "m.wf" as m\nL1:\n  Call m/ENTRY ->x\n  J x\n', "modules/b.wf": HELLO });
    symlinkSync(join(outside, "m.wf"), join(cwd, "m.wf"));
    const result = await wf(["check", "a.wf"], { cwd });
    expect(result.stdout).toContain("WF3018");
    expect(result.stdout).not.toContain("WF3012");
  });

  it("that names a missing label fails with 1, a missing entry asked for is a usage error", async () => {
    const stdin = "L1:\n  Call L_nope ->x\n  J x\n";
    const own = await wf(["run", "-", "--json"], { stdin });
    expect(own.code).toBe(1);
    expect(documentOf(own)).toMatchObject({
      error: "unknown_label",
      error_structured: { code: "RUNTIME_UNKNOWN_LABEL" },
    });
    const asked = await wf(["run", "-", "--json", "--label", "L7"], { stdin: HELLO });
    expect(asked.code).toBe(2);
    expect(documentOf(asked)).toMatchObject({ error: "unknown_label", issues: [{ path: "/label" }] });
  });

  it("says that nothing was executed only where something could have been", async () => {
    const stdin = "L1:\n  J )\n";
    expect((await wf(["run", "-", "--strict"], { stdin })).stderr).toContain("; nothing was executed\n");
    for (const command of ["compile", "inspect", "disasm"]) {
      const { stderr } = await wf([command, "-"], { stdin });
      expect(stderr).toMatch(/^\d errors?$/m);
      expect(stderr).not.toContain("nothing was executed");
    }
  });

  it("mentions a denied adapter once", async () => {
    const { stderr } = await wf(["run", "-", "--allow", "http"], { stdin: HELLO });
    expect(stderr.match(/^warning|WF5008/gm)).toEqual(["warning"]);
  });

  it("shows the ends of a long label stack", async () => {
    const { stderr } = await wf(["run", "-"], { stdin: "L1:\n  Call L1 ->x\n  J x\n" });
    const [stack = ""] = /label stack: .*/.exec(stderr) ?? [];
    expect(stack).toBe(`label stack: ${"L1 > ".repeat(6)}… 489 more …${" > L1".repeat(6)}`);
  });

  it("without labels is reported with what was found instead, in every form of answer", async () => {
    const stdin = "# surface: opcode\nprint hello\n";
    const result = await wf(["run", "-"], { stdin });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("<stdin>:2:1 warning WF2001 unknown statement");
    expect(result.stderr).toContain("write def main():, or a label with steps");
    expect(result.stderr).toContain("error invalid_ir  the program has no label to run");
    expect((await wf(["run", "-", "--quiet"], { stdin })).stderr).toBe(
      "error invalid_ir  the program has no label to run\n",
    );
    const json = documentOf(await wf(["run", "-", "--json"], { stdin }));
    expect(json).toMatchObject({ error: "invalid_ir", diagnostics: [{ code: "WF2001", line: 2 }, { code: "WF9015" }] });
    expect((await wf(["batch", "-", "--in", "x"], { stdin })).stderr).toContain("WF2001");
  });

  it("lists an input once", async () => {
    const stdin = "# frame: n\n# frame: n: number\nL1:\n  J n\n";
    expect(documentOf(await wf(["inspect", "-", "--json"], { stdin }))["inputs"]).toEqual([
      { name: "n", type: "number" },
    ]);
  });

  it("can be compiled and inspected with inputs given by name", async () => {
    const stdin = "L1:\n  J amount\n";
    for (const command of ["compile", "inspect", "disasm"]) {
      expect((await wf([command, "-"], { stdin })).code).toBe(1);
      expect((await wf([command, "-", "--input", "amount"], { stdin })).code).toBe(0);
    }
  });

  it("that fmt changed is listed", async () => {
    const cwd = folderWith({ "a.wf": "L1: J 1\n", "b.wf": HELLO });
    expect((await wf(["fmt", "a.wf", "b.wf"], { cwd })).stdout).toBe("a.wf\n");
  });
});

describe("a bytecode file", () => {
  it("can be listed, and every other command says that it cannot use it", async () => {
    const cwd = folderWith({ "h.wf": HELLO });
    expect((await wf(["compile", "h.wf", "--format", "bytecode", "-o", "h.wfb"], { cwd })).code).toBe(0);
    const listed = await wf(["disasm", "h.wfb"], { cwd });
    expect(listed).toMatchObject({ code: 0, stdout: (await wf(["disasm", "h.wf"], { cwd })).stdout });
    const run = await wf(["run", "h.wfb"], { cwd });
    expect(run).toMatchObject({ code: 1, stdout: "" });
    expect(run.stderr).toContain("h.wfb is bytecode");
    expect(run.stderr).toContain("wf disasm");
    expect((await wf(["check", "h.wfb"], { cwd })).code).toBe(1);
    expect((await wf(["fmt", "h.wfb"], { cwd })).code).toBe(2);
  });

  it("that was damaged is refused", async () => {
    const stdin = new Uint8Array([0x57, 0x45, 0x46, 0x54, 1, 0, 0, 0, ...new Array<number>(40).fill(7)]);
    const result = await wf(["disasm", "-"], { stdin });
    expect(result).toMatchObject({ code: 1 });
    expect(result.stderr).toContain("fails verification: checksum mismatch");
  });
});

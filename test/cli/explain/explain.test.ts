/** `wf explain` of the words of the language: ops, functions, adapters and their verbs. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { FUNCTIONS } from "../../../compiler/functions.ts";
import { OPS } from "../../../grammar/ops.ts";
import { parsePython } from "../../../grammar/python/parse.ts";
import { documentOf, wf } from "../console.ts";

type Entry = {
  readonly code: string;
  readonly kind: string;
  readonly title: string;
  readonly write?: string;
} & Readonly<Record<string, unknown>>;

async function explained(word: string): Promise<readonly Entry[]> {
  return (documentOf(await wf(["explain", word, "--json"])) as { readonly codes: readonly Entry[] }).codes;
}

describe("wf explain", () => {
  it("explains an op with its slots and an example", async () => {
    const { code, stdout } = await wf(["explain", "Retry"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "Retry  Visit the protected step again when it fails.",
        "  class     step: it stands below a label",
        "  write     Retry @n1? count? backoff_ms? fixed|exponential?",
        "  slots     node: the number of a step, such as @n2 (default: the step above); optional",
        "            count: a value; default: 3",
        "            backoff_ms: a value; default: 0",
        "            strategy: fixed or exponential; default: fixed",
        "  example   Retry 3 500 exponential",
        "",
      ].join("\n"),
    );
  });

  it("explains a function under every name", async () => {
    for (const word of ["not_equal", "ne", "core.NEQ", "Core.neq"])
      expect(await explained(word)).toMatchObject([
        {
          code: "ne",
          kind: "function",
          write: "ne(a, b)",
          call: "R core.NEQ a b ->result",
          example: 'ne(1, "1") → true',
        },
      ]);
    expect(await explained("now")).toMatchObject([{ code: "now", write: "result = now()", opcode: "X result now" }]);
  });

  it("explains a verb from catalog and definition", async () => {
    expect(await explained("fs.read")).toMatchObject([
      {
        code: "fs.read",
        kind: "verb",
        class: "verb: effect io-read, privilege local_state, idempotent",
        write: "result = fs.read(path, options?)",
        opcode: "R fs.read path options? ->result",
        takes: expect.arrayContaining(["path: text", "option offset: whole number from 0; default 0"]),
        errors: expect.stringContaining("ADAPTER_ENCODING"),
        example: 'text = fs.read("notes.txt") → "first\\nsecond\\n"',
      },
    ]);
    expect(await explained("WASM.apply")).toMatchObject([{ code: "wasm.CALL", names: ["wasm.APPLY"], also: "APPLY" }]);
    expect(await explained("fs")).toMatchObject([{ code: "fs", verbs: expect.stringContaining("readlines") }]);
  });

  it("explains every meaning of a word, the exact spelling first", async () => {
    const codes = async (word: string) => (await explained(word)).map(({ code, kind }) => `${kind} ${code}`);
    expect(await codes("If")).toEqual(["op If", "word if", "function ite"]);
    expect(await codes("if")).toEqual(["word if", "op If", "function ite"]);
    expect(await codes("sort")).toEqual(["function sort", "op Sort"]);
    expect(await codes("Sort")).toEqual(["op Sort", "function sort"]);
    expect(await codes("Filter")).toEqual(["op Filt"]);
    expect(await codes("test.D")).toEqual(["op D"]);
    expect(await codes("L_any:")).toEqual(["op L<id>:"]);
    expect(await codes("core")).toEqual(["adapter_facts core"]);
  });

  it("knows every op, function and verb", async () => {
    const ops = OPS.flatMap(({ name, aliases }) => [name, ...aliases]);
    const functions = FUNCTIONS.flatMap(({ name, aliases }) => [name, ...aliases]);
    const verbs = builtinCatalog
      .names()
      .flatMap((name) => (builtinCatalog.adapter(name)?.verbs ?? []).map((verb) => `${name}.${verb.name}`));
    for (const word of [...ops, ...functions, ...verbs]) {
      const told = (await explained(word)).filter(({ kind }) => ["op", "function", "verb"].includes(kind));
      expect(told.map(({ title, write }) => [word, title, write])).not.toEqual([]);
      for (const { title, write } of told) expect([title, write]).not.toContainEqual("");
    }
  });

  it("explains words of Python", async () => {
    const { stdout } = await wf(["explain", "while"]);
    expect(stdout.split("\n").slice(0, 5)).toEqual([
      "while  Runs its block as long as the condition holds.",
      "  class     word of Python",
      "  write     while condition:",
      "  note      counted by max_loop_iters",
      "  example   while not done:",
    ]);
    for (const word of ["def", "except", "with retry", "parallel", "@api", "@cron"])
      expect((await explained(word))[0]).toMatchObject({ code: word, kind: "word" });
  });

  it("gives examples of those words that are Python", async () => {
    const { codes } = documentOf(await wf(["explain", "--list", "words", "--json"])) as { readonly codes: Entry[] };
    const around: Readonly<Record<string, string>> = {
      elif: "if a:\n    b\nLINE\n    b\n",
      else: "if a:\n    b\nLINE\n    b\n",
      except: "try:\n    b\nLINE\n    b\n",
      finally: "try:\n    b\nLINE\n    b\n",
      try: "LINE\n    b\nfinally:\n    b\n",
      match: "LINE\n    case 1:\n        b\n",
      case: "match a:\n    LINE\n        b\n",
      return: "def f():\n    LINE\n",
      break: "while a:\n    LINE\n",
      continue: "while a:\n    LINE\n",
      nonlocal: "def f():\n    total = 0\n    def g():\n        LINE\n",
      "@api": "LINE\ndef f():\n    b\n",
      "@cron": "LINE\ndef f():\n    b\n",
    };
    for (const { code, example } of codes) {
      const line = String(example);
      const source = (around[code] ?? (line.endsWith(":") ? "LINE\n    b\n" : "LINE\n")).replace("LINE", line);
      expect([code, parsePython(source).faults]).toEqual([code, []]);
    }
  });

  it("lists what can be explained, by kind", async () => {
    const all = (await wf(["explain", "--list"])).stdout;
    for (const kind of ["codes", "ops", "words", "functions", "adapters"]) {
      const { stdout, code } = await wf(["explain", "--list", kind]);
      expect(code).toBe(0);
      expect(all).toMatch(new RegExp(`^${kind}$`, "m"));
      const words = (text: string) => text.split("\n").map((line) => line.split("  ")[0]);
      expect(words(all)).toEqual(expect.arrayContaining(words(stdout)));
    }
    expect((await wf(["explain", "--list", "ops"])).stdout).toMatch(/^Retry +Visit the protected step again/m);
    const adapters = (await wf(["explain", "--list", "adapters"])).stdout;
    expect(adapters).toMatch(/^fs\.read +\S/m);
    expect(adapters).toMatch(/^calendar +Events in the operator's calendars\./m);
    const wrong = await wf(["explain", "--list", "verbs"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("codes, ops, words, functions, adapters")]);
  });

  it("names near words, and the verbs of a name without its adapter", async () => {
    const said = async (word: string) => (await wf(["explain", word])).stderr;
    expect(await said("RUNTIME_MAX_STEP")).toContain("did you mean RUNTIME_MAX_STEPS?");
    expect(await said("fs.raed")).toContain("no entry for 'fs.raed'; did you mean fs.read?");
    expect(await said("Loob")).toContain("did you mean Loop?");
    expect(await said("conact")).toContain("did you mean Contract or concat?");
    expect(await said("readlines")).toContain("did you mean fs.readlines?");
    expect((await wf(["explain", "no_such_word"])).code).toBe(2);
  });
});

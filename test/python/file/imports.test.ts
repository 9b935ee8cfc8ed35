/** Files that a program imports: what is found wrong is said once, where it is, and names what is there. Values: `cases/imports.py`. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import { includesIn } from "../../../vm/inputs/program-files.ts";
import { missingLabelHint } from "../../../vm/words/missing-label.ts";
import { compiled, hostWith, ran } from "../support/weft.ts";

type Files = Readonly<Record<string, string>>;

function found(main: string, files: Files): readonly string[] {
  const includes = includesIn({ files: { ...files, "main.py": main }, main: "main.py" });
  const { diagnostics } = compile(main, { catalog: builtinCatalog, includes });
  return diagnostics.map(({ code, span, message, suggestion }) => {
    const place = `${span?.file ?? "main.py"}:${span?.line}:${span?.column}`;
    return `${place} ${code} ${message}${suggestion === null ? "" : ` | ${suggestion}`}`;
  });
}

const body = (...lines: readonly string[]): string => `def main():\n${lines.map((line) => `    ${line}\n`).join("")}`;
const HELPERS = { "helpers.py": "limit = 1\n\ndef add(a, b):\n    return a + b\n" };

describe("imports of files", () => {
  it.each<[string, string, Files, string[]]>([
    [
      "a module that is not there, used often",
      `import helprs\n\n${body("x = helprs.add(1, 2)", "return helprs.limit + x")}`,
      HELPERS,
      ["main.py:1:8 WF6003 the module 'helprs' does not exist here | did you mean 'helpers'?"],
    ],
    [
      "a module unlike all others",
      `from billing import total\n\n${body("return total(total(1))")}`,
      HELPERS,
      ["main.py:1:1 WF6003 the module 'billing' does not exist here | there are helpers and main"],
    ],
    [
      "a module for which something serves",
      `import pandas\n\n${body("return pandas.read_csv(1)")}`,
      HELPERS,
      [
        "main.py:1:8 WF6003 the module 'pandas' does not exist here | lists, dicts, sorted and the module statistics serve",
      ],
    ],
    [
      "a name that is nearly one",
      `from helpers import ad\n\n${body("return ad(1, 2)")}`,
      HELPERS,
      ["main.py:1:21 WF6002 helpers has no member 'ad' | did you mean 'add'?"],
    ],
    [
      "a name unlike all others",
      `import helpers\n\n${body("return helpers.subtract(1, 2)")}`,
      HELPERS,
      ["main.py:4:12 WF6002 helpers has no member 'subtract' | it has limit and add"],
    ],
    [
      "a circle through functions",
      `import a\n\n${body("return a.x")}`,
      {
        "a.py": "import b\nx = 1\n",
        "b.py": "import lib.c\n",
        "lib/c.py": "def f():\n    from a import x\n    return x\n",
      },
      [
        "lib/c.py:2:5 WF6006 'a' imports itself: a.py -> b.py -> lib/c.py -> a.py | move what both files need into a third one",
      ],
    ],
    [
      "a file that is not Python",
      `from helpers import add\n\n${body("return add(1, 2)")}`,
      { "helpers.py": "x = 1\ndef add(:\n    return 1\n" },
      ["helpers.py:2:9 WF6109 ':' cannot stand here"],
    ],
    [
      "a mistake in an imported file",
      `from helpers import add\n\n${body("return add(1, 2)")}`,
      { "helpers.py": "def add(a, b):\n    return a + c\n" },
      [
        "helpers.py:2:16 WF6001 nothing defines 'c' | set it before it is read, or give it as a parameter; a text needs quotes",
      ],
    ],
    [
      "a call of an adapter at the top of a file",
      `import helpers\n\n${body("return helpers.x")}`,
      { "helpers.py": 'x = http.Get("https://example.com")\n' },
      [
        "helpers.py:1:5 WF6043 http.Get stands at the top of the file, and would be called at every endpoint and schedule | call it in a function",
      ],
    ],
    [
      "a name that is set on some ways only",
      `import helpers\n\n${body("return helpers.limit")}`,
      { "helpers.py": "for x in [1]:\n    limit = x\n" },
      [
        "main.py:4:12 WF6002 helpers may not have set 'limit' when it has run | set it at the top of that file, on every way, and never delete it",
      ],
    ],
    [
      "a name of a file that is set from outside",
      `import helpers\n\n${body("helpers.limit = 2", "return 1")}`,
      HELPERS,
      ["main.py:4:5 WF6025 'limit' of another file cannot be set | write a function in that file which sets it"],
    ],
    [
      "a module as a value",
      `import helpers\n\n${body("return [helpers]")}`,
      HELPERS,
      ["main.py:4:13 WF6005 'helpers' is a module, which is not a value | use a member of it"],
    ],
    [
      "a folder above",
      `import lib.mail\n\n${body("return 1")}`,
      { "lib/mail.py": "from ..helpers import add\n", ...HELPERS },
      ["lib/mail.py:1:1 WF6003 imports from a folder above are not known | write the whole name of the module"],
    ],
    [
      "a file that hides a module of Python",
      `import json\n\n${body("return json.dumps(1)")}`,
      { "json.py": "" },
      [
        "main.py:1:8 WF6003 'import json' could mean json.py or the module of Python, which has the same name | give the file another name",
      ],
    ],
    [
      "a file with the name of a module that programs do not have",
      `import platform\n\n${body("return platform.x")}`,
      { "platform.py": "x = 1\n" },
      [
        "main.py:1:8 WF6003 'import platform' could mean platform.py or the module of Python, which has the same name | give the file another name",
      ],
    ],
    [
      "what serves in place of a known package, whatever files are there",
      `import requests\n\n${body("return 1")}`,
      HELPERS,
      [
        "main.py:1:8 WF6003 the module 'requests' does not exist here | http serves: call its verbs, no import is needed",
      ],
    ],
    [
      "a name that is imported and defined",
      `from helpers import add\nfrom math import floor\n\ndef floor(x):\n    return x\n\n${body("return floor(add(1, 2))")}`,
      HELPERS,
      [
        "main.py:2:18 WF6007 'floor' is imported, and gets another meaning in this file, too | give one of the two another name: import … as …",
      ],
    ],
  ])("%s", (_title, main, files, expected) => {
    expect(found(main, files)).toEqual(expected);
  });

  it("are refused without files, as other modules are", () => {
    const { diagnostics } = compile(`import helpers\n\n${body("return helpers.x")}`, { catalog: builtinCatalog });
    expect(diagnostics.map(({ code }) => code)).toEqual(["WF6003"]);
  });

  it("need no list of files", () => {
    const { read } = includesIn({ files: { "lib/mail.py": "x = 7\n" }, main: "main.py" });
    const source = `from lib import mail\nimport lib.mail as m\n\n${body("return mail.x + m.x")}`;
    const made = compile(source, { catalog: builtinCatalog, includes: { read } });
    expect(made.diagnostics).toEqual([]);
  });

  it.each<[string, number, number, string]>([
    ["too deep", 70, 1, "a program imports at most 256 files"],
    ["too many", 300, 300, "a program imports at most 256 files"],
  ])("are bounded: %s", (_title, count, fromMain, message) => {
    const files = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`m${at}.py`, fromMain > 1 ? "" : `import m${at + 1}\n`]),
    );
    const imports = Array.from({ length: fromMain }, (_, at) => `import m${at}\n`).join("");
    const errors = found(`${imports}\n${body("return 1")}`, files);
    expect(errors).toHaveLength(fromMain > 1 ? 44 : 1);
    expect(errors[0]).toContain(message);
  });
});

describe("a program with files", () => {
  const files = { "lib/mail.py": "def send(d):\n    return d['to']\n" };
  const source = `from lib.mail import send\n\n${body("return send({})")}`;

  it("fails with the file and line of the failure", async () => {
    const made = compile(source, { catalog: builtinCatalog, includes: includesIn({ files, main: "main.py" }) });
    const answer = await hostWith().run({ ir: made.ir as NonNullable<typeof made.ir>, frame: {} });
    expect(answer).toMatchObject({
      ok: false,
      error: { label: "lib/mail/send", line: 2, file: "lib/mail.py", stack: ["main", "lib/mail/send"] },
    });
  });

  it("begins with its own functions, and names no others", () => {
    const made = compiled(source, files);
    if (!("ir" in made)) throw new Error(JSON.stringify(made));
    expect(hostWith().resolveLabel(made.ir, "main")).toEqual({ id: "main" });
    expect(hostWith().resolveLabel(made.ir, "lib/mail/send")).toEqual({ id: null, near: [] });
    expect(missingLabelHint(made.ir, [])).toBe("; the program has main");
  });

  it("has another checksum when a file changes", () => {
    const sum = (text: string) => {
      const made = compiled(source, { "lib/mail.py": text });
      if (!("ir" in made)) throw new Error(JSON.stringify(made));
      return made.ir.checksum;
    };
    expect(sum("def send(d):\n    return 1\n")).not.toBe(sum("def send(d):\n    return 2\n"));
  });

  it("begins every run with files that have not run", async () => {
    const made = compiled(`import log\n\n${body("log.lines.append(1)", "return log.lines")}`, {
      "log.py": "lines = []\n",
    });
    if (!("ir" in made)) throw new Error(JSON.stringify(made));
    const host = hostWith();
    const first = await ran(host, made.ir, "{}");
    const second = await ran(host, made.ir, "{}");
    expect([first, second].map((one) => one.kind === "value" && one.value)).toEqual([[1], [1]]);
  });
});

describe("types of imported files", () => {
  const MODELS = {
    "models.py":
      "from typing import TypedDict\n\nfrom lib.base import Base\n\nclass Line(TypedDict):\n    sku: str\n\nclass Order(Base):\n    lines: list[Line]\n    note: Unknown\n\nRows = list[Line]\n",
    "lib/base.py": "from typing import TypedDict\n\nclass Base(TypedDict):\n    id: int\n",
  };
  const declared = (main: string) => {
    const includes = includesIn({ files: { ...MODELS, "main.py": main }, main: "main.py" });
    const { ir, diagnostics } = compile(main, { catalog: builtinCatalog, includes });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    return [
      ir?.labels["main"]?.python?.params.map(({ types }) => types),
      ir?.declarations.map(({ slots, file }) => [slots.join(" "), file]),
    ];
  };
  const LINE = ["Line sku:text", "models.py"];
  const ORDER = ["Order id:integer lines:A[Line] note:any", "models.py"];

  it.each([
    ["by name", "from models import Order", "Order", ["Order"], [LINE, ORDER]],
    ["under another name", "from models import Order as O", '"O | None"', ["Order?"], [LINE, ORDER]],
    ["as a member of the file", "import models as m", "m.Order", ["Order"], [LINE, ORDER]],
    [
      "through a third file",
      "from models import Base",
      "list[Base]",
      ["A[Base]"],
      [["Base id:integer", "lib/base.py"]],
    ],
    ["by another word", "from models import Rows", "Rows", ["A[Line]"], [LINE]],
  ])("are those of inputs: %s", (_what, imported, annotation, types, records) => {
    const said = annotation === '"O | None"' ? "O | None" : annotation;
    expect(declared(`${imported}\n\ndef main(o: ${said}):\n    return o\n`)).toEqual([[types], records]);
  });

  it("have names of their own where two files have the same", () => {
    const main =
      "from typing import TypedDict\n\nimport models\n\nclass Line(TypedDict):\n    n: int\n\ndef main(a: Line, b: models.Line):\n    return a\n";
    expect(declared(main)).toEqual([
      [["Line"], ["_Line"]],
      [
        ["Line n:integer", undefined],
        ["_Line sku:text", "models.py"],
      ],
    ]);
  });
});

/** What a file of the Python form says about how it is run: endpoints, schedules, inputs, descriptions. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { compile } from "../../../compiler/compile.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { securityReport } from "../../../compiler/policy/report.ts";
import { API_OPTIONS, CRON_OPTIONS } from "../../../compiler/python/doors/options.ts";
import { Endpoint } from "../../../service/programs/endpoints/endpoint-settings.ts";
import { CATCH_UPS, OVERLAPS } from "../../../service/schedules/schedule.ts";
import { inputCheckOf } from "../../../vm/inputs/check-inputs.ts";

const HEADER = "# surface: python\n";

function diagnosticsOf(source: string) {
  return compile(HEADER + source, { catalog: builtinCatalog }).diagnostics;
}

function irOf(source: string): Ir {
  const { ir, diagnostics } = compile(HEADER + source, { catalog: builtinCatalog });
  if (ir === null) throw new Error(JSON.stringify(diagnostics));
  return ir;
}

/** The source with the edits of its only finding. */
function fixed(source: string): string | null {
  const [diagnostic, ...others] = diagnosticsOf(source);
  expect(others).toEqual([]);
  const fix = diagnostic?.fix ?? null;
  if (fix === null) return null;
  let text = HEADER + source;
  for (const { span, new_text } of [...fix.edits].reverse())
    text = text.slice(0, span?.start) + new_text + text.slice(span?.end);
  return text.slice(HEADER.length);
}

const heard = (decorator: string): string => `${decorator}\ndef main(event):\n    return event["data"]\n`;
const main = (decorator: string): string => `${decorator}\ndef main():\n    return 1\n`;

describe("@on", () => {
  it("E-1: the function of an event is not declared with its name and options", () => {
    const written =
      '@on("orders/created", when="data.total > 100", key="data.customer", rate={"limit": 1, "per_s": 2})';
    expect(compile(heard(written)).ir?.declarations).toEqual([
      {
        op: "On",
        slots: ["main", "orders/created"],
        settings: { when: "data.total > 100", key: "data.customer", rate: { limit: 1, per_s: 2 } },
        line: 2,
      },
    ]);
  });

  it.each([
    ["@on", "@on needs event"],
    ['@on("paid", when="1 +")', "'when' of @on cannot be used: it is not one expression"],
    ['@on("paid", when="1)\\n    x = (2")', "'when' of @on cannot be used: it is not one expression"],
    ['@on("paid", when="http.get(data.url).ok")', "'when' of @on cannot be used: it calls http.Get"],
    ['@on("paid", when="uuid.uuid4() != data")', "'when' of @on cannot be used: 'uuid"],
    ['@on("paid", key="date.customer")', "'key' of @on cannot be used: nothing defines 'date'"],
    ['@on("paid")\n@on("paid")', '@on("paid") is declared twice'],
  ])("E-2, E-7: %s is taken", (decorator, message) => {
    const [diagnostic] = diagnosticsOf(heard(decorator));
    expect(diagnostic?.message).toContain(message);
  });
});

describe("@api and @cron", () => {
  const program = `
from weft import api, cron
@api("/orders/{id}", method="GET", headers=["X-Kind"])
def one(id: int):
    """One order.

    With its lines."""
    return id

@cron("0 8 * * 1-5", tz="Europe/Vienna", overlap="queue", from_="2030-01-01", paused=True)
@api("/digest", mode="job", verify={"kind": "github", "secrets": "KEY"}, dedupe="x-id")
def digest(day=None):
    return day
`;

  it("make endpoints and schedules with their settings", () => {
    const { endpoints, declarations } = irOf(program);
    expect(endpoints).toEqual([
      {
        method: "GET",
        path: "/orders/{id}",
        label: "one",
        returns: null,
        type: null,
        description: "One order.\n\nWith its lines.",
        settings: { headers: ["X-Kind"] },
        line: 5,
      },
      {
        method: "POST",
        path: "/digest",
        label: "digest",
        returns: null,
        type: null,
        description: null,
        settings: { mode: "job", verify: { kind: "github", secrets: "KEY" }, dedupe: "x-id" },
        line: 13,
      },
    ]);
    expect(declarations).toEqual([
      {
        op: "Cr",
        slots: ["digest", "0", "8", "*", "*", "1-5"],
        settings: { tz: "Europe/Vienna", overlap: "queue", from: "2030-01-01", paused: true },
        line: 13,
      },
    ]);
  });

  it("keep what the text of a frame says", () => {
    const settingsOf = (frame: string) =>
      irOf(`@cron("@daily", frame=${frame})\ndef main(**v):\n    return v\n`).declarations[0]?.settings;
    expect(settingsOf('{"a": 5, "b": [None, True, "x", -1.5]}')).toEqual({
      frame: { a: 5, b: [null, true, "x", -1.5] },
    });
    for (const [frame, text] of [
      ['{"a": 5.0}', '{"a":5.0}'],
      ['{"a": -0.0, "b": -0}', '{"a":-0.0,"b":0}'],
      ['{"a": 1e300}', '{"a":1e+300}'],
      ['{"a": -12345678901234567890}', '{"a":-12345678901234567890}'],
      ['{"10": 1, "9": 2}', '{"10":1,"9":2}'],
      ['{"a": 1.5, "a": 2.0}', '{"a":2.0}'],
    ] as const)
      expect(settingsOf(frame)).toEqual({ frame: JSON.parse(text), frame_text: text });
  });

  it("are roots of the report, even where nothing calls the function", () => {
    const { labels } = securityReport(
      irOf('def main():\n    return 1\n@cron("@daily")\ndef load():\n    return http.Get("https://a.example")\n'),
      builtinCatalog,
    );
    expect(labels["load"]?.reachable).toBe(true);
  });

  it("know the settings that a service reads, and no others", () => {
    expect(Object.keys(API_OPTIONS).sort()).toEqual(Object.keys(Endpoint.shape).sort());
    expect(CRON_OPTIONS["overlap"]?.words).toEqual(OVERLAPS);
    expect(CRON_OPTIONS["catch_up"]?.words).toEqual(CATCH_UPS);
  });

  it.each([
    ["@api", '@api("/main")'],
    ["@api()", '@api("/main")'],
    ['@api(method="GET")', '@api("/main", method="GET")'],
    ['@api("/a", methd="GET")', '@api("/a", method="GET")'],
    ['@api("/a", method="PSOT")', '@api("/a", method="POST")'],
    ['@api("a")', '@api("/a")'],
    ['@api("/a", mode="jobs")', '@api("/a", mode="job")'],
    ['@cron("0 8 * * *", timezone="UTC")', '@cron("0 8 * * *", tz="UTC")'],
    ['@cron("0 0 8 * * *")', '@cron("0 8 * * *")'],
    ['ZONE = "UTC"\n@cron("0 8 * * *", tz=ZONE)', 'ZONE = "UTC"\n@cron("0 8 * * *", tz="UTC")'],
  ])("%s is refused with the edit", (wrong, right) => {
    expect(fixed(main(wrong))).toBe(main(right));
    expect(diagnosticsOf(main(right))).toEqual([]);
  });

  it.each([
    ['@api("/a", 5)', "endpoints do not answer this method"],
    ['@api("/a", "GET", "x")', "@api takes path and method only, besides options by name"],
    ['@api("/a", **options)', "the options of @api must be written out"],
    ['@api("/a", headers="X-Kind")', "'headers' of @api must be a list of names of headers"],
    ['@api("/a", verify={"kind": "none"})', `'verify' of @api must be a dict with "kind", one of`],
    ['@cron("0 25 * * *")', "the hour of a cron line cannot be '25': values are 0 to 23"],
    ['@cron("0 0 31 2 *")', "the line never fires: its months do not have that day"],
    ['@cron("0 8 * * *", tz=zone())', "'tz' of @cron is read before the program runs"],
    ['@cron("0 8 * * *", jitter_s=4000)', "'jitter_s' of @cron must be a whole number from 0 to 3600"],
    ['@on("a b")', "'event' of @on must be the name of an event"],
    ['@on("paid")', "the event is the first argument of main, which has no parameter"],
    ['@api("/a")\n@api("/a", method="post")', "POST /a is declared twice"],
  ])("%s is refused", (decorator, message) => {
    const [diagnostic] = diagnosticsOf(main(decorator));
    expect(diagnostic?.message).toContain(message);
    expect(diagnostic?.severity).toBe("error");
  });

  it.each([
    ["inside of a function", 'def main():\n    @api("/a")\n    def f():\n        return 1\n    return f()\n'],
    ["in a script", '@api("/a")\ndef f():\n    return 1\nprint(f())\n'],
    ["above one of two functions of a name", '@api("/a")\ndef f():\n    return 1\ndef f():\n    return 2\n'],
  ])("are refused %s", (_place, source) => {
    expect(diagnosticsOf(source).map(({ code }) => code)).toEqual(["WF6042"]);
  });

  it("are ordinary names where the file defines them", () => {
    const { endpoints } = irOf('def api(path):\n    return lambda f: f\n@api("/a")\ndef main():\n    return 1\n');
    expect(endpoints).toEqual([]);
  });
});

describe("the top of a file", () => {
  it.each([
    ["a statement next to main", "def main():\n    return 1\nmain()\n"],
    ["a loop next to main", "def main():\n    return 1\nfor x in []:\n    pass\n"],
    ["a call of an adapter", 'PAGE = http.Get("https://a.example")\ndef main():\n    return PAGE\n'],
  ])("may not have %s", (_what, source) => {
    expect(diagnosticsOf(source).map(({ code }) => code)).toEqual(["WF6043"]);
  });

  it("may have constants, imports, and a guard that is skipped", () => {
    expect(
      diagnosticsOf(
        'import json\nRATES = {"a": 1}\ndef main():\n    return 1\nif __name__ == "__main__":\n    main()\n',
      ),
    ).toEqual([]);
  });

  it("belongs to the last of several functions that are called main", () => {
    const { entry, labels } = irOf("def main(a):\n    return a\ndef main(b):\n    return b\n");
    expect(labels[entry ?? ""]?.python?.params.map(({ name }) => name)).toEqual(["b"]);
  });
});

/** Problems as `path message`, and warnings. */
function check(source: string, frame: object): readonly string[] {
  const ir = irOf(source);
  const found = inputCheckOf(ir, ir.entry)?.(frame as Record<string, unknown>) ?? { problems: [], unknown: [] };
  return [...found.problems.map(({ path, message }) => `${path} ${message}`), ...found.unknown];
}

const typed = (annotation: string, above = ""): string => `${above}def main(n: ${annotation}):\n    return n\n`;
const LINE =
  "from typing import NotRequired, TypedDict\nclass Line(TypedDict):\n    sku: str\n    qty: NotRequired[int]\n";

describe("inputs", () => {
  it.each<[string, unknown, string | null]>([
    ["str", "", null],
    ["str", 1, "/n expected text, found number"],
    ["str", null, "/n expected text, found null"],
    ["int", 5, null],
    ["int", true, "/n expected integer, found boolean"],
    ["float", 5, null],
    ["float", true, "/n expected number, found boolean"],
    ["bool", 1, "/n expected boolean, found number"],
    ["list", {}, "/n expected list, found map"],
    ["dict", [], "/n expected map, found list"],
    ["list[dict]", [{}, 1], "/n/1 expected map, found number"],
    ["dict[str, int]", { a: 1, b: "x" }, "/n/b expected integer, found text"],
    ["int | None", null, null],
    ["Optional[int]", "x", "/n expected integer, found text"],
    ["int | str", "x", null],
    ["Union[int, str]", [], "/n expected integer, found list"],
    ["Any", [], null],
    ["'list[int]'", [1], null],
    ["list[int | None]", [1, null], null],
    ['Literal["a", "b,c", 3]', "b,c", null],
    ['Literal["a", "b,c", 3]', 3, null],
    ['Literal["a"]', "b", '/n expected one of "a", found another text'],
    ["Line", { sku: "a" }, null],
    ["list[Line]", [{ qty: 1 }], "/n/0/sku expected text, found nothing"],
  ])("annotated %s take %j: %s", (annotation, value, problem) => {
    expect(check(typed(annotation, LINE), { n: value })).toEqual(problem === null ? [] : [problem]);
  });

  it("without a default are required, and those with one are not", () => {
    const source = "def main(a, /, b, c=1, *, d, e=None):\n    return a\n";
    expect(check(source, {})).toEqual([
      "/a expected a value, found nothing",
      "/b expected a value, found nothing",
      "/d expected a value, found nothing",
    ]);
    expect(check(source, { a: null, b: null, d: null })).toEqual([]);
  });

  it("that default to None take null whatever they are annotated with", () => {
    expect(check("def main(n: int = None):\n    return n\n", { n: null })).toEqual([]);
  });

  it("that are surplus are noted, unless the entry takes all others", () => {
    expect(check("def main():\n    return 1\n", { a: 1 })).toEqual(["input_unknown: the program does not declare 'a'"]);
    expect(check("def main(a, **others):\n    return others\n", { a: 1, b: 2 })).toEqual([]);
  });

  it("belong to their own function", () => {
    const ir = irOf('@api("/a")\ndef a(x: int):\n    return x\n@api("/b")\ndef b(x: str, y):\n    return x\n');
    const problems = (label: string, frame: Record<string, unknown>) =>
      (inputCheckOf(ir, label)?.(frame)?.problems ?? []).map(({ path }) => path);
    expect([problems("a", { x: 1 }), problems("b", { x: "1", y: 1 })]).toEqual([[], []]);
    expect([problems("a", { x: "1" }), problems("b", { x: 1 })]).toEqual([["/x"], ["/x", "/y"]]);
  });

  it("with an annotation that is not known take any value, with a warning", () => {
    const [diagnostic] = diagnosticsOf(typed("Decimal | None"));
    expect([diagnostic?.code, diagnostic?.severity, diagnostic?.span?.column]).toEqual(["WF6045", "warning", 13]);
    expect(check(typed("Decimal"), { n: [] })).toEqual([]);
  });

  it("of a script are the names that it reads and never sets", () => {
    expect(check("total = price * qty\ntotal\n", { price: 1 })).toEqual(["/qty expected a value, found nothing"]);
    expect(check("rows = [order for order in orders]\nlen(rows)\n", { orders: [] })).toEqual([]);
  });

  it("of a script that are nearly a name which it sets are refused", () => {
    expect(diagnosticsOf("count = 1\nprint(cuont)\n").map(({ message }) => message)).toEqual([
      "'cuont' is an input, because nothing sets it, but is nearly 'count', which is set",
    ]);
  });
});

/** Graphs of programs in Python: lines as they are written, and nothing that the compiler made of them. */
import { describe, expect, it } from "vitest";
import { builtinCatalog } from "../../../compiler/catalog/builtin.ts";
import { diagramOf } from "../../../compiler/diagram/draw.ts";
import { hasSourceLines } from "../../../compiler/diagram/label-names.ts";
import { logicalLines } from "../../../compiler/diagram/logical-lines.ts";
import { type Diagram, stepKey } from "../../../compiler/diagram/model.ts";
import { lineDiagramOf } from "../../../compiler/diagram/source-lines.ts";
import type { Ir } from "../../../compiler/ir/graph.ts";
import { compiled } from "../../support/world.ts";

function irOf(code: string): Ir {
  const { ir, diagnostics } = compiled(code, {});
  if (ir === null) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return ir;
}

const drawn = (code: string): Diagram => lineDiagramOf(irOf(code), code, builtinCatalog);

/** `from -way-> to`, `!` for the way of a failure. */
function ways({ groups, arrows }: Diagram): string[] {
  const texts = new Map(groups.flatMap(({ boxes }) => boxes.map(({ id, lines }) => [id, lines.join(" ")] as const)));
  return arrows.map(
    ({ from, to, text, failure }) => `${texts.get(from)} -${text}${failure ? "!" : ""}-> ${texts.get(to)}`,
  );
}

const frames = ({ groups }: Diagram) => groups.flatMap(({ title }) => (title === null ? [] : [title]));

describe("the graph of a source", () => {
  it("leads from every beginning to its function: the entry, endpoints, schedules and events", () => {
    const code =
      'from weft import api, cron, on\n\n\ndef check(part: str):\n    return part\n\n\n@api("/order")\ndef order(part: str):\n    return check(part)\n' +
      '\n\n@on("orders/created")\n@on("orders/changed")\ndef heard(event):\n    return event\n\n\n@cron("0 7 * * 1-5")\ndef nightly():\n    return 1\n';
    const begin = (diagram: Diagram) => ways(diagram).filter((way) => /^(start|POST|on|cron) /.test(way));
    expect(begin(drawn(code))).toEqual([
      "start --> return part",
      "POST /order --> return check(part)",
      "on orders/created --> return event",
      "on orders/changed --> return event",
      "cron 0 7 * * 1-5 --> return 1",
    ]);
    const texts = (diagram: Diagram) => diagram.groups.flatMap(({ title, boxes }) => (title === null ? boxes : []));
    expect(texts(diagramOf(irOf(code), builtinCatalog)).map(({ lines }) => lines.join(" "))).toEqual([
      ...["start", "POST /order", "on orders/created", "on orders/changed", "cron 0 7 * * 1-5"],
    ]);
  });

  it("shows loops and conditions as their lines, and the ways between them", () => {
    const diagram = drawn(
      "def main(xs: list):\n    n = 0\n    for x in xs:\n        if x > 1 and x < 5:\n            n += x\n    return n\n",
    );
    expect(frames(diagram)).toEqual(["main"]);
    expect(ways(diagram)).toEqual([
      "n = 0 --> for x in xs:",
      "for x in xs: -at the end-> return n",
      "for x in xs: -next-> if x > 1 and x < 5:",
      "n += x --> for x in xs:",
      "if x > 1 and x < 5: -false-> for x in xs:",
      "if x > 1 and x < 5: -true-> n += x",
      "start --> n = 0",
    ]);
  });

  it("marks a line where one of its steps is marked, and counts it as often as the step that was visited most", () => {
    const code = "def main(n: int):\n    return [n * k for k in range(n)]\n";
    const ir = irOf(code);
    const inner = ir.nodes.filter(({ line, label }) => line === 2 && label === "main");
    const keys = inner.map(({ label, id }) => stepKey(label, id));
    const steps = new Map(keys.map((key, at) => [key, { count: at + 1, ms: 1, errors: 0 }]));
    const options = { marked: new Set(keys.slice(0, 1)), visits: { steps, edges: new Map() } };
    const boxes = lineDiagramOf(ir, code, builtinCatalog, options).groups.flatMap((group) => group.boxes);
    const line = boxes.find(({ lines }) => lines.join(" ").includes("for k in range(n)"));
    expect(keys.length).toBeGreaterThan(1);
    expect(line?.marked).toBe(true);
    expect(line?.lines).toEqual(["✗ return [n * k for k in range(n)]", `${keys.length}×  ${keys.length}.000 ms`]);
  });

  it("tells which way of a condition is that of true by where it leads, however it was compiled", () => {
    const code = `def main(xs: list):
    for x in xs:
        if not x:
            return 1
        elif x == 3 or not x > 2:
            continue
        else:
            print(x)
        while not x:
            x -= 1
        if x: print(1)
    match xs:
        case []:
            print(0)
        case _:
            pass
    return 2
`;
    const found = ways(drawn(code)).filter((one) => /-(true|false)->|^(if|elif|while|case)/.test(one));
    expect(found.sort()).toEqual(
      [
        ...["if not x: -true-> return 1", "if not x: -false-> elif x == 3 or not x > 2:"],
        ...["elif x == 3 or not x > 2: -true-> for x in xs:", "elif x == 3 or not x > 2: -false-> print(x)"],
        ...["while not x: -true-> x -= 1", "while not x: -false-> if x: print(1)"],
        "if x: print(1) --> for x in xs:",
        ...["case []: -true-> print(0)", "case []: -false-> return 2"],
      ].sort(),
    );
  });

  it("leads an exception to its handler, and past a finally that was entered without one", () => {
    const code = [
      "def main(a: int):",
      ...["    try:", "        b = 1 / a", "    except ZeroDivisionError as e:", "        b = str(e)"],
      ...["    finally:", "        c = 2", "    return [b, c]", ""],
    ].join("\n");
    expect(ways(drawn(code))).toEqual([
      "b = 1 / a -on an error!-> except ZeroDivisionError as e:",
      "b = 1 / a --> c = 2",
      "except ZeroDivisionError as e: -on an error!-> c = 2",
      "b = str(e) -on an error!-> c = 2",
      "b = str(e) --> c = 2",
      "c = 2 --> return [b, c]",
      "except ZeroDivisionError as e: --> b = str(e)",
      "start --> b = 1 / a",
    ]);
  });

  it("puts lambdas and comprehensions into the line that they are written in, with what they call and reach", () => {
    const code = `def twice(a):
    return a * 2


def main(url: str):
    got = parallel(lambda: twice(1), lambda: http.Get(url).status)
    return [twice(one) for one in got]
`;
    const diagram = drawn(code);
    expect(frames(diagram)).toEqual(["twice", "main"]);
    const boxes = diagram.groups.flatMap((group) => group.boxes);
    expect(boxes.map(({ tier, shape }) => `${shape} ${tier}`)).toEqual([
      ...["step pure", "step network", "step pure", "start pure"],
    ]);
    const all = boxes.flatMap(({ step }) => (step === null ? [] : [step, ...(step.others ?? [])]));
    expect(new Set(all.map(({ label, node }) => `${label} ${node}`)).size).toBe(all.length);
    expect(all.map(({ label }) => label)).toContain("main.lambda");
    expect(ways(diagram).filter((one) => one.includes("-calls->"))).toHaveLength(2);
  });

  it("shows a function that calls itself, and the statements of a file that are in none", () => {
    const diagram = drawn("LIMIT = 5\n\n\ndef main(n: int):\n    return 1 if n > LIMIT else main(n + 1)\n");
    expect(frames(diagram)).toEqual(["the file", "main"]);
    expect(ways(diagram)).toContain(
      "return 1 if n > LIMIT else main(n + 1) -calls-> return 1 if n > LIMIT else main(n + 1)",
    );
  });

  it("shows every name as it is written, and no name of the machine", () => {
    const code = `@api("/orders")
def main(orders: list[dict]):
    def total(order):
        return order["total"]

    made = [total(one) for one in orders]
    while made:
        with retry(2):
            one = made.pop()
        match one:
            case 1 | 2:
                return "small"
            case _:
                del one
    return None
`;
    const { groups, arrows } = drawn(code);
    const shown = [
      ...groups.flatMap(({ title, boxes }) => [title, ...boxes.flatMap(({ lines }) => lines)]),
      ...arrows.map(({ text }) => text),
    ];
    expect(shown.join("\n")).not.toMatch(/\$|\bPy\b|py\.|_file|_entry|<locals>|null/);
    expect(shown).toContain("POST /orders");
    expect(frames({ groups, arrows })).toEqual(["main", "main.total"]);
  });

  it("names functions so in the graph of the machine as well", () => {
    const { groups } = diagramOf(irOf("def main():\n    return [f() for f in [lambda: 1]]\n"), builtinCatalog);
    expect(groups.map(({ title }) => title)).toEqual(["the file", "main", "main.<lambda>", null]);
  });

  it("has the numbers of lines and what they call, where the source is not known", () => {
    const code =
      "from weft import http\n\n\ndef total(xs):\n    return sum(xs)\n\n\ndef main(url: str):\n    rows = http.get(url)\n    return max(total(rows), total([1]))\n";
    const diagram = lineDiagramOf(irOf(code), null, builtinCatalog);
    expect(frames(diagram)).toEqual(["total", "main"]);
    expect(ways(diagram)).toEqual([
      "[N] line 9: http.Get --> line 10: total",
      "line 10: total -calls-> line 5",
      "start --> [N] line 9: http.Get",
    ]);
  });

  it("is there for Python alone", () => {
    expect(hasSourceLines(irOf("def main():\n    return 1\n"))).toBe(true);
    expect(hasSourceLines(irOf("L1:\n  J 1\n"))).toBe(false);
  });

  it("takes a time that grows with the program, with handlers around thousands of lines", () => {
    const lines = Array.from({ length: 3000 }, (_, at) => `        a = ${at}\n`).join("");
    const diagram = drawn(`def main():\n    try:\n${lines}    finally:\n        b = 1\n    return b\n`);
    expect(diagram.groups[0]?.boxes).toHaveLength(3002);
    expect(diagram.arrows.length).toBeLessThan(10_000);
  });
});

describe("logical lines", () => {
  it("join what is broken, without comments", () => {
    const lines = logicalLines('a = [  # first\n    1,\n    2,  # last\n]\nb = """x\n  y"""\nif a: b = \\\n  1\n');
    expect(lines.get(3)).toEqual({ line: 1, text: "a = [ 1, 2, ]", indent: 0 });
    expect(lines.get(4)).toBe(lines.get(1));
    expect(lines.get(7)?.text).toBe("if a: b = 1");
    expect(lines.get(8)?.line).toBe(7);
  });

  it("are those above a fault", () => {
    expect([...logicalLines("a = 1\nb = §\n").values()].map(({ text }) => text)).toContain("a = 1");
  });
});

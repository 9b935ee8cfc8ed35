/** Each rule of verification by a program that breaks just it (docs/bytecode.md, verification). */
import { describe, expect, it } from "vitest";
import { flatten } from "../../../compiler/bytecode/flatten.ts";
import { Op } from "../../../compiler/bytecode/opcodes.ts";
import type { Program, VariantKind, VariantTables } from "../../../compiler/bytecode/program.ts";
import { verifyProgram } from "../../../compiler/bytecode/verify/verify.ts";
import { looseIr, programsOf } from "../../support/bytecode.ts";

const SOURCE = `L1:
  R ext.OP 1 "v" ->r
  Retry @n1 3 0
  Err @n1 ->L6
  Set s 0
  Loop xs x ->L2 ->L3
L2:
  X s add s (mul x 2)
L3:
  While (lt s 100) ->L4 ->L5 limit=50
L4:
  X s add s 1
  Call L7 ->n
L5:
  J s
L6:
  J "failed"
L7:
  If s ->L8
L8:
  X s add s 1
  Call L7 ->s
  J s
`;

function sample(): Program {
  const ir = looseIr(SOURCE, ["xs"]);
  const [first] = ir === null ? [] : programsOf("sample", ir);
  if (first === undefined) throw new Error("does not compile");
  return first.program;
}

const good = sample();

type Change = (tables: VariantTables) => Partial<VariantTables>;

/** Why the sample is refused with `change` in one variant. */
function refusal(change: Change, kind: VariantKind = "fast"): string | null {
  const tables = good.variant(kind);
  const changed = { ...tables, ...change(tables) };
  const verified = verifyProgram({ ...good, variant: (other) => (other === kind ? changed : good.variant(other)) });
  return verified.ok ? null : verified.reason;
}

/** pc of the nth instruction with that opcode. */
function find(tables: VariantTables, op: number, nth = 0): number {
  const found = [...tables.code.keys()].filter((pc) => (tables.site_at[pc] as number) >= 0 && tables.code[pc] === op);
  const pc = found[nth];
  if (pc === undefined) throw new Error(`no instruction ${op}`);
  return pc;
}

function word(op: number, offset: number, value: number, nth = 0): Change {
  return (tables) => ({ code: put(tables.code, find(tables, op, nth) + offset, value) });
}

function put(words: Int32Array, at: number, value: number): Int32Array {
  const changed = words.slice();
  changed[at] = value;
  return changed;
}

function at<T>(items: readonly T[], index: number, change: Partial<T>): readonly T[] {
  return items.map((item, place) => (place === index ? { ...item, ...change } : item));
}

const constant = good.names.length;

describe("verify refuses", () => {
  it("nothing of the sample", () => {
    expect(verifyProgram(good)).toEqual({ ok: true });
  });

  it.each<[string, Change, string]>([
    ["an unknown opcode", word(Op.Set, 0, 99), "no whole instruction"],
    ["an instruction beyond the end", ({ code }) => ({ code: put(code, code.length - 2, Op.Add) }), "fast:"],
    ["a constant as destination", word(Op.Set, 1, constant), "bad destination"],
    ["a missing destination where there must be one", word(Op.Set, 1, -1), "bad destination"],
    ["an operand beyond the slots", word(Op.Set, 2, 1_000), "bad operand"],
    ["an operand before the slots", word(Op.Set, 2, -1), "bad operand"],
    [
      "a variable that nothing stands for",
      ({ unset_at }) => ({ unset_at: unset_at.map(() => -1) }),
      "nothing stands for",
    ],
    [
      "a stand-in that is a variable",
      ({ unset_at }) => ({ unset_at: unset_at.map((slot) => (slot < 0 ? slot : 0)) }),
      "nothing stands for",
    ],
    ["a temporary before it is written", word(Op.Mul, 1, 6), "read"],
    ["a call result in a temporary", (t) => word(Op.Call, 1, t.constants.length + constant)(t), "not a variable"],
    ["a routine that does not exist", word(Op.Call, 2, 77), "bad routine"],
    ["recursion that gets no deeper", word(Op.Call, 3, 0), "bad depth"],
    ["another charge for a routine", word(Op.Call, 4, 0), "another charge"],
    ["loop registers taken twice", word(Op.Call, 5, -1), "loop registers"],
    ["a step back", word(Op.Branch, 2, 0), "does not lead to an instruction after it"],
    [
      "a jump into an instruction",
      (t) => word(Op.Branch, 2, (t.code[find(t, Op.Branch) + 2] as number) + 1)(t),
      "does not lead to an instruction",
    ],
    ["a loop of another register", word(Op.LoopNext, 2, 1), "ends no loop"],
    ["a loop of another item", word(Op.LoopNext, 1, 0), "ends no loop"],
    ["a loop without a step", word(Op.WhileInit, 4, 0), "goes round without a step"],
    ["aux of another kind", word(Op.Invoke, 2, 99), "bad aux"],
    [
      "too few operands",
      (t) => ({ aux: t.aux.map((one) => (one.kind === "call" ? { ...one, fallback: true, text_key: true } : one)) }),
      "operands are missing",
    ],
    ["a trace in fast code", word(Op.Charge, 0, Op.Visit), "traces"],
    ["no charge", word(Op.Charge, 1, 0), "another charge"],
    ["steps given back that were not charged", ({ refund_at }) => ({ refund_at: put(refund_at, 0, 5) }), "given back"],
    ["a cheaper repetition", ({ site_charge }) => ({ site_charge: put(site_charge, 0, 0) }), "another charge"],
    ["a site elsewhere", ({ site_pc }) => ({ site_pc: put(site_pc, 0, 1) }), "fast:"],
    ["parents in a circle", ({ sites }) => ({ sites: at(sites, 0, { parent: 0 }) }), "bad parent"],
    ["an unknown handler", ({ sites }) => ({ sites: at(sites, 0, { handler: 9 }) }), "bad handler"],
    ["an unknown retry", ({ sites }) => ({ sites: at(sites, 0, { retry: 9 }) }), "bad retry"],
    ["an unknown loop", ({ sites }) => ({ sites: at(sites, 0, { loop: 40 }) }), "bad loop"],
    ["a handler of another label", ({ handlers }) => ({ handlers: at(handlers, 0, { routine: 0 }) }), "another label"],
    ["an instruction of no node", ({ site_at }) => ({ site_at: put(site_at, 0, -1) }), "belongs to no node"],
    ["a call that is not listed", ({ calls }) => ({ calls: calls.slice(1) }), "call"],
    ["a mark inside an instruction", ({ marks }) => ({ marks: marks.map((pc) => pc + 1) }), "mark"],
    ["a missing block", ({ blocks }) => ({ blocks: blocks.slice(4) }), "another charge"],
    [
      "blocks out of order",
      ({ blocks }) => ({ blocks: Int32Array.from([...blocks.slice(4), ...blocks.slice(0, 4)]) }),
      "misplaced",
    ],
    ["entries of unknown labels", ({ entries }) => ({ entries: put(entries, 1, 99) }), "unknown label"],
    ["tables of other lengths", ({ site_at }) => ({ site_at: site_at.slice(1) }), "differ in length"],
    ["no routines", () => ({ routines: [] }), "no routine"],
    ["a routine inside an instruction", ({ routines }) => ({ routines: at(routines, 1, { pc: 1 }) }), "routine"],
    [
      "a routine with other registers",
      ({ routines }) => ({ routines: at(routines, 0, { loops: 9 }) }),
      "loop registers",
    ],
    ["another entry", ({ routines }) => ({ routines: at(routines, 0, { label: "x" }) }), "entry"],
    [
      "other constants than stepped",
      ({ constants }) => ({ constants: [...constants].reverse() }),
      "differ in constants",
    ],
    ["more temporaries than stepped", ({ temporaries }) => ({ temporaries: temporaries + 1 }), "differ in temporaries"],
  ])("%s", (_, change, reason) => {
    expect(refusal(change)).toContain(reason);
  });

  it("stepped code that does not correspond", () => {
    expect(refusal(({ marks }) => ({ marks: marks.slice(1) }), "stepped")).toContain("places");
    expect(refusal(({ marks }) => ({ marks: marks.map(() => 0) }), "stepped")).toContain("mark");
    expect(refusal(word(Op.Charge, 1, 2), "stepped")).toContain("stepped:");
  });

  it("other variables", () => {
    expect(verifyProgram({ ...good, names: good.names.slice(1) }).ok).toBe(false);
    expect(verifyProgram({ ...good, names: [...good.names, "r"] }).ok).toBe(false);
  });

  it("control that leaves its routine", () => {
    const last = (tables: VariantTables): number => find(tables, Op.Ret, 0);
    const set = (tables: VariantTables): Partial<VariantTables> => ({ code: put(tables.code, last(tables), Op.Jump) });
    expect(refusal(set)).toContain("does not lead to an instruction");
  });
});

it("accepts a program of many nodes and labels", () => {
  const nodes = Array.from({ length: 2000 }, (_, i) => `  X v${i % 50} add ${i} (mul ${i} 2)\n`);
  const labels = Array.from(
    { length: 500 },
    (_, i) => `L${i + 2}:\n  X a add a 1\n  If (gt a ${i}) ->L${i + 3} ->L${((i * 7) % 500) + 2}\n`,
  );
  const ir = looseIr(`L1:\n${nodes.join("")}  Call L2 ->r\n  J r\n${labels.join("")}L502:\n  J a\n`, ["a"]);
  expect(ir === null ? null : verifyProgram(flatten(ir, "1"))).toEqual({ ok: true });
});

it("accepts a chain of 20 000 labels that each lead to the next two", () => {
  const count = 20_000;
  const labels = Array.from({ length: count }, (_, i) => `L${i + 1}:\n Set b 1\n If a == 1 ->L${i + 2} ->L${i + 3}\n`);
  const ir = looseIr(`${labels.join("")}L${count + 1}:\n  J 1\nL${count + 2}:\n  J 2\n`, ["a"]);
  if (ir === null) throw new Error("does not compile");
  const program = flatten(ir, "1");
  expect(program.variant("fast").code.length).toBeLessThan(60 * count);
  expect(verifyProgram(program)).toEqual({ ok: true });
}, 240_000);

it("copies no label with many operands to every place that uses it", () => {
  const list = Array.from({ length: 2000 }, () => "a").join(", ");
  const calls = "  Call L2\n".repeat(2000);
  const ir = looseIr(`L1:\n${calls}  J 1\nL2:\n  Set b [${list}]\n  J b\n`, ["a"]);
  if (ir === null) throw new Error("does not compile");
  expect(flatten(ir, "1").variant("fast").code.length).toBeLessThan(40_000);
});

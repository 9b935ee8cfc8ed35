/** Calls of Python's own modules that ask the world: the clock, chance, a pause. They are recorded calls of `core`, and so steps. */
import type { Call, Expr } from "../../../grammar/python/tree.ts";
import type { IrOperand } from "../../ir/graph.ts";
import { type HostCall, hostCall } from "../library/host.ts";
import type { Meaning } from "../names/modules.ts";
import type { Lowerer } from "./lowerer.ts";
import { call, NONE, text, variable } from "./operands.ts";

/** The host call that a call means, `datetime.now` on an imported type as well. */
export function hostCallOf(
  meaning: Meaning | null,
  node: Call,
  meaningOf: (node: Expr) => Meaning | null,
): HostCall | null {
  const callee = node.func;
  let name = meaning?.kind === "lib" ? meaning.name : null;
  if (name === null && callee.kind === "Attribute") {
    const outer = meaningOf(callee.value);
    if (outer?.kind === "lib") name = `${outer.name}.${callee.attr}`;
  }
  return name === null ? null : hostCall(name, node.args.length + node.keywords.length);
}

export function lowerHostCall(f: Lowerer, node: Call, { verb, makes }: HostCall): IrOperand {
  const values = f.exprs([...node.args, ...node.keywords.map(({ value }) => value)]);
  if (verb === "SLEEP") return sleeping(f, values[0] ?? NONE);
  const out = f.body.temporary();
  f.body.call({ adapter: "core", verb, args: [], out });
  const named = node.keywords.map(({ arg }) => text(arg ?? ""));
  const callee: IrOperand = { k: "lib", v: makes };
  if (named.length === 0) return call("call", callee, variable(out), ...values);
  return call("call_named", { k: "list", items: named }, callee, variable(out), ...values);
}

/** A pause of a number of seconds. */
export function sleeping(f: Lowerer, seconds: IrOperand): IrOperand {
  const out = f.body.temporary();
  f.body.call({ adapter: "core", verb: "SLEEP", args: [call("call", { k: "lib", v: "host.sleep_ms" }, seconds)], out });
  return call("call", { k: "lib", v: "host.slept" }, variable(out));
}

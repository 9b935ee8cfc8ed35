/** `with contextlib.suppress(KeyError):` ends its block at an exception of these types, and the program continues after it. */
import type { Call, With } from "../../../../grammar/python/tree.ts";
import type { Lowerer } from "../lowerer.ts";
import { call, NONE, variable } from "../operands.ts";

export function lowerSuppress(f: Lowerer, node: With, called: Call): void {
  const [item, ...others] = node.items;
  if (others.length > 0 || called.keywords.length > 0) {
    f.refuse(called, "suppress_beside");
    return;
  }
  const { body } = f;
  const { start, end, line } = called;
  const types = body.keep(f.expr({ kind: "Tuple", elts: called.args, start, end, line }));
  if (item?.target != null) f.assign(item.target, NONE);
  const raising = body.guard(() => f.statements(node.body));
  if (raising.length === 0) return;
  const done = body.take();
  const caught = body.land(raising);
  const type = call("call", { k: "lib", v: "type" }, variable(caught));
  const number = body.add({ do: "if", cond: call("call", { k: "lib", v: "issubclass" }, type, types) });
  body.take();
  body.open([{ from: number, port: "else" }]);
  body.add({ do: "reraise", name: caught });
  body.take();
  body.open([...done, { from: number, port: "then" }]);
}

/** The inputs that `# frame:` comments declare. */
import type { Ir } from "./graph.ts";

type Declaring = Pick<Ir, "declarations">;

/** Their names, in order. */
export function declaredInputs({ declarations }: Declaring): string[] {
  return declarations.flatMap(({ op, slots }) => (op === "frame" ? slots.slice(0, 1) : []));
}

/** Names of declared inputs that `frame` has no value for. */
export function inputsNotGiven(ir: Declaring, frame: object): string[] {
  return declaredInputs(ir).filter((name) => !Object.hasOwn(frame, name));
}

/** The program of the thread that asks Graphviz where the boxes of a graph stand: that takes seconds for a large one, and may not end. */
import { parentPort } from "node:worker_threads";

export type ToLayout = { readonly text: string };
export type FromLayout =
  | { readonly state: "placed"; readonly json: string }
  /** Its stack and memory are bounded: a long chain of many boxes may be too much. */
  | { readonly state: "too_large" }
  | { readonly state: "package_missing" };

/** Places without the operations that draw them, which are two thirds of `json`. The types of the package do not have this format. */
const PLACES = "json0" as "json";

parentPort?.on("message", (message: ToLayout) => {
  void placed(message.text).then((answer) => parentPort?.postMessage(answer));
});

async function placed(text: string): Promise<FromLayout> {
  let Graphviz: typeof import("@hpcc-js/wasm-graphviz").Graphviz;
  try {
    ({ Graphviz } = await import("@hpcc-js/wasm-graphviz"));
  } catch {
    return { state: "package_missing" };
  }
  const graphviz = await Graphviz.load();
  try {
    return { state: "placed", json: graphviz.dot(text, PLACES) };
  } catch {
    return { state: "too_large" };
  }
}

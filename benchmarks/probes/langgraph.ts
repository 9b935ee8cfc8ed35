/** LangGraph.js: a chain of ten nodes, and one node in a loop, without a checkpointer, compared with the ten-step run and a loop of Weft. */
import { type Figure, timed } from "../figure.ts";
import { peerPackage } from "../peers/peer-package.ts";
import { compiledOn, LIMITS, openHost, sourceOf } from "../peers/weft.ts";
import { workloadNamed } from "../workloads.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const CHAIN = 10;
const TURNS = 100;
const GROUP = "A graph of nodes";
const LOOP =
  "L1:\n  Set n 0\n  Set c true\n  While c ->L2 ->L3 limit=1000\nL2:\n  X n add n 1\n  X c lt n 100\nL3:\n  J n\n";

export async function measureLangGraph({ pace, root }: ProbeScope): Promise<readonly Figure[] | null> {
  const found = await peerPackage<LangGraph>("@langchain/langgraph");
  if (found === null) return null;
  const small = workloadNamed("W10");
  if (small === undefined) throw new Error("no workload W10");
  const host = openHost();
  const ir = compiledOn(host, "W10", sourceOf(root, small));
  const loop = compiledOn(host, "loop", LOOP);
  const graphs = graphsOf(found);
  const [chain, cycle, weftRun, weftLoop] = await timeInTurn(
    [
      graphs.chain,
      graphs.cycle,
      () => host.run({ ir, frame: { x: 7 }, limits: LIMITS }),
      () => host.run({ ir: loop, frame: {}, limits: LIMITS }),
    ],
    pace,
  );
  return [
    { group: GROUP, name: "LangGraph, ten-node chain, a node", ...timed(chain, "ns", CHAIN) },
    { group: GROUP, name: "LangGraph, node in a loop, a turn", ...timed(cycle, "ns", TURNS) },
    { group: GROUP, name: "Weft, ten-step run, a step", ...timed(weftRun, "ns", small.steps) },
    { group: GROUP, name: "Weft, two steps in a loop, a turn", ...timed(weftLoop, "ns", TURNS) },
    {
      group: GROUP,
      name: "ten-node chain against a ten-step run",
      value: (chain?.median ?? Number.NaN) / (weftRun?.median ?? Number.NaN),
      unit: "×",
    },
  ];
}

type Counted = { readonly n: number };
type Graph = { invoke(state: Counted, options?: { readonly recursionLimit: number }): Promise<unknown> };
type GraphBuilder = {
  addNode(name: string, work: (state: Counted) => Counted): GraphBuilder;
  addEdge(from: string, to: string): GraphBuilder;
  addConditionalEdges(from: string, next: (state: Counted) => string): GraphBuilder;
  compile(): Graph;
};
type Annotation = { (): unknown; Root(channels: { readonly n: unknown }): unknown };
type LangGraph = {
  readonly Annotation: Annotation;
  readonly START: string;
  readonly END: string;
  readonly StateGraph: new (state: unknown) => GraphBuilder;
};

function graphsOf({ Annotation, END, START, StateGraph }: LangGraph) {
  const State = Annotation.Root({ n: Annotation });
  const add = ({ n }: Counted) => ({ n: n + 1 });
  const names = Array.from({ length: CHAIN }, (_, at) => `node${at}`);
  const builder = new StateGraph(State);
  for (const name of names) builder.addNode(name, add);
  for (const [at, name] of names.entries()) builder.addEdge(at === 0 ? START : (names[at - 1] as string), name);
  builder.addEdge(names.at(-1) as string, END);
  const chain = builder.compile();
  const cyclic = new StateGraph(State)
    .addNode("turn", add)
    .addEdge(START, "turn")
    .addConditionalEdges("turn", ({ n }) => (n < TURNS ? "turn" : END))
    .compile();
  return {
    chain: async () => expectCount(await chain.invoke({ n: 0 }), CHAIN),
    cycle: async () => expectCount(await cyclic.invoke({ n: 0 }, { recursionLimit: TURNS + 10 }), TURNS),
  };
}

function expectCount(state: unknown, count: number): void {
  if (typeof state !== "object" || state === null || !("n" in state) || state.n !== count)
    throw new Error(`the graph gave ${JSON.stringify(state)}`);
}

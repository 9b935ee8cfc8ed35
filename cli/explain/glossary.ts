/** The glossary (docs/glossary.md): words of this project that `wf explain` knows besides codes and the language. */
import type { Explanation } from "./explanation.ts";

const TERMS: Readonly<Record<string, string>> = {
  adapter: "a named set of verbs through which a program reaches the outside world, for example `http` or `fs`",
  allowlist: "the adapters, hosts, tables or tools that a grant admits; everything else is refused",
  batch: "one program run with many frames in one request",
  branch: "a call of a function that runs next to others, for one element of `parallel`",
  bytecode: "the compact form that the machine executes; made from the IR",
  call: "one use of a verb of an adapter by a run; counted by `max_adapter_calls`",
  caller: "a person or program that sends a program or a frame; a caller can narrow a grant, never widen it",
  decider: "a program of the operator that is asked before a call is made, for example OPA or Cedar",
  diagnostic: "a finding of the compiler, with a code such as WF4001, a place and a fix",
  effect: "what a step does to the world: pure, io-read, io-write or network",
  endpoint: "an address of the service that runs a program",
  entry: "the function at which a run starts: `main`, or else the first one",
  "fatal failure": "a failure that no handler can catch: a limit, a denial, a cancellation",
  frame: "the variables of a run; the caller's frame is the input",
  gateway: "the part that turns a request into a prepared run or a refusal, the same for all surfaces",
  grant: "everything that an operator allows: adapters, settings, limits, forbidden effects",
  host: "the process that embeds Weft and owns clock, adapters and grants",
  "idempotency key": "a key under which a repeated request or call has its effect once",
  IR: "the intermediate representation: a program as a graph of nodes and edges in JSON",
  job: "a run that is queued and whose result is kept",
  label: "a named list of steps in the opcode form and in the IR; a function of a Python program becomes one",
  limit:
    "one of the exact maximums of a run: steps, depth, adapter calls, time, frame bytes, loop iterations, calls and time of its cleanup",
  metering: "counting every step, call and byte of a run against its limits",
  node: "one step in the IR",
  operator: "the person who runs the host and decides the grant",
  policy: "rules that a program must satisfy before it runs",
  profile: "a named grant, such as `sandbox_compute_and_store`",
  record: "the log of all calls of a run and their answers",
  replay: "a run whose calls are answered from a record, without touching the world",
  run: "one execution of a program with one frame",
  "security report": "what a program can reach, computed before it runs",
  sidecar: "a service that runs next to the process that uses it, on the same machine",
  slice: "a short stretch of a run, after which other work of the process gets its turn",
  step: "one line that acts; the unit of `max_steps`",
  strict: "the mode in which every mistake is an error, used by `wf check` and agents",
  surface: "one of the ways to use Weft: command line, service, MCP server, library",
  trace: "the visited steps of one run, with times and values",
  verb: "one operation of an adapter, for example `http.Get`",
};

export function glossaryExplanations(): Explanation[] {
  return Object.entries(TERMS).map(([code, title]) => ({
    code,
    title,
    kind: "term",
    names: [],
    facts: [["class", "glossary"]],
  }));
}

/** The rows of the page's table. */
export function glossaryTable(): string {
  return Object.entries(TERMS)
    .map(([word, meaning]) => `| ${word} | ${meaning} |\n`)
    .join("");
}

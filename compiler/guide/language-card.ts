/**
 * The language on one page for a model: the statements, every function with its arguments, every adapter with its verbs. Made from the
 * tables; `wf_capabilities`, `wf explain language` and docs/for-agents.md show it, next to the program of taught-program.ts.
 */
import type { AdapterCatalog } from "../catalog.ts";
import { FUNCTIONS, type FunctionParameter, type FunctionSignature } from "../functions.ts";

const STATEMENTS = `name(a, b=3):        graph; the first one runs
in: a!:number, b     its inputs, checked; ! must be given
x = v                x += v; d[k] = v; d.a.b = v
x = http.Get(url)    adapter call; also http.Get url
x = helper(a)        runs a graph with variables of its own; call helper shares them
xs = call helper for a in list  runs it for all at the same time, on copies
if c: elif c: else:
for x in list:       also k, v in object; i, x in enumerate(list); i in range(n)
while c limit 50:    fails when c still holds after 50 passes
break continue pass
try: except e:       e.message, e.code
raise "text"         fails
Retry 3 1000         below a call: up to 3 more times, 1000 ms apart
out v / return v     ends the graph

+ - * / // % ** == != < <= > >= and or not in is None, a if c else b
x.a[0] d[key] xs[-1] xs[1:3] f"{n:.2f}" [v for x in xs if c] {k: v for k, v in d}`;

const GROUPS: readonly (readonly [string, FunctionSignature["group"]])[] = [
  ["number", "number"],
  ["logic", "logic"],
  ["text", "text"],
  ["list, object", "list"],
  ["value", "value"],
  ["date", "date"],
  ["pattern", "pattern"],
  ["alone on a line", "host"],
];

/** Functions that are written with a sign or a keyword, or that no program in this form needs. */
const WRITTEN_AS_SIGNS: ReadonlySet<string> = new Set(
  "add sub mul div idiv mod pow eq ne lt lte gt gte and or not ite plus at put_at each pairs obj arr fail id echo noop".split(
    " ",
  ),
);

/** At most 900 tokens with the built-in adapters. */
export function languageCard(catalog: AdapterCatalog): string {
  const groups = GROUPS.map(([title, group]) => {
    const functions = FUNCTIONS.filter((one) => one.group === group && !WRITTEN_AS_SIGNS.has(one.name));
    return `${title}: ${callTexts(functions).join(" ")}`;
  });
  const signs = `signs as functions: ${[...WRITTEN_AS_SIGNS].join(" ")}`;
  const adapters = catalog.names().filter((name) => name !== "core");
  return [
    STATEMENTS,
    [...groups, signs].join("\n"),
    adapters.map((name) => adapterLine(name, catalog)).join("\n"),
  ].join("\n\n");
}

/** `sort_by(list, field, order?)`; one argument goes without saying, and neighbours with equal arguments share them: `lines/words`. */
function callTexts(functions: readonly FunctionSignature[]): string[] {
  const texts: { names: string[]; parameters: string }[] = [];
  for (const signature of functions) {
    const parameters = parametersText(signature);
    const last = texts.at(-1);
    if (last !== undefined && parameters !== "" && last.parameters === parameters) last.names.push(signature.name);
    else texts.push({ names: [signature.name], parameters });
  }
  return texts.map(({ names, parameters }) => `${names.join("/")}${parameters}`);
}

function parametersText({ parameters }: FunctionSignature): string {
  const [first, ...others] = parameters;
  if (others.length === 0 && first?.repeat !== true) return "";
  return `(${parameters.map(parameterText).join(", ")})`;
}

function parameterText({ name, optional, repeat }: FunctionParameter): string {
  return `${name}${repeat ? "…" : optional ? "?" : ""}`;
}

function adapterLine(name: string, catalog: AdapterCatalog): string {
  const verbs = catalog.adapter(name)?.verbs.filter(({ unlisted }) => unlisted !== true) ?? [];
  return `${name}: ${verbs.map((verb) => verb.name).join(" ")}`;
}

/**
 * A condition of five operations: evaluated inside a run of Weft, and by engines that do nothing else, each prepared once. Weft's figure
 * is what the condition adds to a turn of a loop, metered.
 */
import { type Figure, timed } from "../figure.ts";
import { peerPackage } from "../peers/peer-package.ts";
import { compiledOn, LIMITS, openHost } from "../peers/weft.ts";
import type { ProbeScope } from "./probe.ts";
import { timeInTurn } from "./timing.ts";

const TURNS = 10_000;
const GROUP = "A condition of five operations";

const program = (body: string): string =>
  `# frame: xs: list\nL1:\n  Set hits 0\n  Set name "bob"\n  Loop xs a ->L2 ->L9\nL2:\n${body}L9:\n  J hits\n`;
const EMPTY = program("  X hits add hits 1\n");
const FULL = program(
  '  X p gt a 5\n  X q lt a 100\n  X r eq name "bob"\n  X s and p q\n  X s and s r\n  If s ->L3 ->L4\nL3:\n  X hits add hits 1\nL4:\n  Set z 0\n',
);

type Inputs = { readonly a: number; readonly name: string };
type Jsonata = { default(text: string): { evaluate(inputs: Inputs): Promise<unknown> } };
type Cel = {
  celEnv(): unknown;
  parse(text: string): unknown;
  plan(env: unknown, expression: unknown): (inputs: Inputs) => unknown;
};

export async function measureConditions({ pace }: ProbeScope): Promise<readonly Figure[] | null> {
  const jsonata = await peerPackage<Jsonata>("jsonata");
  const cel = await peerPackage<Cel>("@bufbuild/cel");
  if (jsonata === null || cel === null) return null;
  const host = openHost();
  const xs = Array.from({ length: TURNS }, (_, at) => 6 + (at % 94));
  const loop = (source: string) => {
    const ir = compiledOn(host, "condition", source);
    return async () => {
      const answer = await host.run({ ir, frame: { xs }, limits: LIMITS });
      if (!answer.ok || answer.out !== TURNS) throw new Error("the condition holds for every element");
    };
  };
  const asked = jsonata.default('a > 5 and a < 100 and name = "bob"');
  const evaluate = cel.plan(cel.celEnv(), cel.parse('a > 5.0 && a < 100.0 && name == "bob"'));
  const inputs = xs.map((a) => ({ a, name: "bob" }));
  let at = 0;
  const next = () => {
    at = (at + 1) % TURNS;
    return inputs[at] as (typeof inputs)[number];
  };
  const times = await timeInTurn(
    [loop(FULL), loop(EMPTY), async () => expectTrue(await asked.evaluate(next())), () => expectTrue(evaluate(next()))],
    pace,
  );
  const [full, empty, jsonataTime, celTime] = times;
  const weft = (((full?.median ?? Number.NaN) - (empty?.median ?? Number.NaN)) * 1e6) / TURNS;
  const peers = [
    ["jsonata", timed(jsonataTime, "ns")],
    ["CEL (@bufbuild/cel)", timed(celTime, "ns")],
  ] as const;
  return [
    { group: GROUP, name: "Weft, inside a run", value: weft, unit: "ns" },
    ...peers.flatMap(([name, time]): Figure[] => [
      { group: GROUP, name, ...time },
      { group: GROUP, name: `${name} against Weft`, value: time.value / weft, unit: "×", target: { at_least: 1 } },
    ]),
  ];
}

function expectTrue(value: unknown): void {
  if (value !== true) throw new Error(`the condition gave ${String(value)}`);
}

/** Whole programs: functions with traces, a `main` that calls them, and what can be seen of its variables as the result. */
import { Draw } from "./draw.ts";
import { anyType, argument } from "./expressions.ts";
import { literalOf } from "./literals.ts";
import { Scope, type Shared } from "./scope.ts";
import { block, parameterType } from "./statements.ts";
import { INT, type Type } from "./types.ts";

const HEAD = `log = []
calls = [0]


class Odd(Exception):
    pass


def t(mark, value):
    if len(log) < 400:
        log.append(mark)
    return value


def bump(by):
    calls[0] = (calls[0] + by) % 1000
    return calls[0]
`;
const DEEPEST = 2;

/** What a result may show of a variable: the order of a set is not defined. */
function seen(name: string, type: Type): string | null {
  if (type.kind === "set") return `sorted(${name})`;
  return JSON.stringify(type).includes('"set"') ? null : name;
}

const deeper = (lines: readonly string[]): string => lines.map((line) => `    ${line}\n`).join("");

function functionOf(shared: Shared): string {
  const { draw } = shared;
  const scope = new Scope(shared, { isInFunction: true, isRepeated: true });
  const name = `f${shared.functions.length + 1}`;
  const params = draw.many(1, 3, () => ({ name: `p${scope.freshName()}`, type: parameterType(scope) }));
  const plain = draw.below(params.length + 1);
  const head = params.map((param, index) => {
    const hasDefault = index >= plain && param.type.kind !== "list" && param.type.kind !== "dict";
    scope.add(param.name, param.type);
    return { ...param, hasDefault, text: hasDefault ? `${param.name}=${literalOf(draw, param.type)}` : param.name };
  });
  // One without a default cannot follow one that has it.
  const firstDefault = head.findIndex(({ hasDefault }) => hasDefault);
  const signature = head.map((one, index) =>
    firstDefault >= 0 && index >= firstDefault && !one.hasDefault ? `${one.name}=None` : one.text,
  );
  const result = anyType(draw, 1);
  const body = [...block(scope, 1, 0, 2), `return ${argument(scope, result, 3)}`];
  shared.functions.push({
    name,
    result,
    params: head.map(({ name: one, type, hasDefault }) => ({ name: one, type, hasDefault })),
  });
  return `\n\ndef ${name}(${signature.join(", ")}):\n${deeper(body)}`;
}

/** The program of a seed. Half of them return the texts of their values, the other half the values. */
export function programOf(seed: number): string {
  const draw = new Draw(seed);
  const shared: Shared = { draw, nextName: 0, nextTrace: 0, functions: [] };
  const functions = draw.many(0, 2, () => functionOf(shared));
  const scope = new Scope(shared, { isInFunction: true });
  for (const type of [INT, anyType(draw), anyType(draw)]) {
    const text = argument(scope, type, 1);
    functions.push(scope.variables.length === 0 ? "\n\ndef main():\n" : "", deeper([`${scope.freshName()} = ${text}`]));
    scope.add(`v${shared.nextName}`, type);
  }
  const isCaught = draw.chance(0.5);
  const body = block(scope.inner(), DEEPEST, 2, 6);
  const shown = scope.variables.flatMap(({ name, type }) => seen(name, type) ?? []);
  const result = `[${[...shown, "log", "calls"].join(", ")}]`;
  const lines = isCaught
    ? [
        "try:",
        ...body.map((line) => `    ${line}`),
        "except Exception as error:",
        "    log.append(type(error).__name__)",
      ]
    : body;
  return `${HEAD}${functions.join("")}${deeper([...lines, `return ${draw.chance(0.5) ? `repr(${result})` : result}`])}`;
}

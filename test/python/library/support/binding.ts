/** Binds arguments to the parameters of a row, as much of it as the tables of expressions need. */
import type { Row } from "../../../../compiler/python/library/row.ts";
import { raisedLoosely, TYPE_ERROR } from "../../../../vm/python/exceptions.ts";
import { PyBytes } from "../../../../vm/python/kinds/bytes.ts";
import { PyDict } from "../../../../vm/python/kinds/dict.ts";
import { floatOf } from "../../../../vm/python/kinds/float.ts";
import { PyTuple } from "../../../../vm/python/kinds/list.ts";
import type { Value } from "../../../../vm/python/object.ts";

type Parameter = { name: string; kind: "positional" | "both" | "keyword" | "args" | "kwargs"; initial?: Value };

export function parametersOf({ params }: Row): Parameter[] {
  const found: Parameter[] = [];
  let kind: Parameter["kind"] = "both";
  for (const part of params.split(/,\s*(?=[\w*/])(?![^(]*\))/)) {
    const text = part.trim();
    if (text === "") continue;
    if (text === "/") for (const one of found) one.kind = "positional";
    else if (text === "*") kind = "keyword";
    else if (text.startsWith("**")) found.push({ name: text.slice(2), kind: "kwargs" });
    else if (text.startsWith("*")) {
      found.push({ name: text.slice(1), kind: "args" });
      kind = "keyword";
    } else {
      const at = text.indexOf("=");
      if (at < 0) found.push({ name: text, kind });
      else found.push({ name: text.slice(0, at), kind, ...initialOf(text.slice(at + 1)) });
    }
  }
  return found;
}

function initialOf(text: string): { initial?: Value } {
  if (text === "...") return { initial: undefined as unknown as Value };
  if (text === "None") return { initial: null };
  if (text === "True" || text === "False") return { initial: text === "True" };
  if (text.startsWith("'")) return { initial: JSON.parse(`"${text.slice(1, -1)}"`) as string };
  if (text === "b''") return { initial: new PyBytes(new Uint8Array()) };
  if (text === "()") return { initial: new PyTuple([]) };
  return { initial: /[.e]/.test(text) ? floatOf(Number(text)) : Number(text) };
}

export function bind(row: Row, args: readonly Value[], keywords: ReadonlyMap<string, Value>): Value[] {
  const left = new Map(keywords);
  const rest = [...args];
  const wrong = (): Error => raisedLoosely(TYPE_ERROR, `wrong arguments for ${row.name}`) as unknown as Error;
  const bound = parametersOf(row).map((parameter): Value => {
    const { name, kind } = parameter;
    if (kind === "args") return new PyTuple(rest.splice(0));
    if (kind === "kwargs") {
      const dict = new PyDict();
      for (const [key, value] of left) dict.set(key, key, value);
      left.clear();
      return dict;
    }
    if (kind !== "keyword" && rest.length > 0) {
      if (kind === "both" && left.has(name)) throw wrong();
      return rest.shift() as Value;
    }
    const named = kind === "positional" ? undefined : left.get(name);
    if (named !== undefined) {
      left.delete(name);
      return named;
    }
    if (!("initial" in parameter)) throw wrong();
    return parameter.initial as Value;
  });
  if (rest.length > 0 || left.size > 0) throw wrong();
  return bound;
}

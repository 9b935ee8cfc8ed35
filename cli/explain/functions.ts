/** Functions of the language, by their names and as verbs of core, from the function table and its words. */
import { FUNCTIONS, type FunctionSignature } from "../../compiler/functions.ts";
import { listed } from "../../grammar/text/english.ts";
import { bracketsText, parametersText } from "./call-form.ts";
import { type Explanation, factIf } from "./explanation.ts";
import { FUNCTION_TEXTS, withoutMarkup } from "./function-texts.ts";

export function functionExplanations(): Explanation[] {
  return FUNCTIONS.map(ofFunction);
}

function ofFunction(signature: FunctionSignature): Explanation {
  const { name, aliases, verb, host } = signature;
  const text = FUNCTION_TEXTS[name];
  const parameters = parametersText(signature.parameters);
  const names = [name, ...aliases].map((one) => `core.${one}`);
  return {
    code: name,
    title: withoutMarkup(text?.gives ?? ""),
    kind: "function",
    names: [...aliases, ...names, ...(verb === null ? [] : [`core.${verb}`])],
    facts: [
      [
        "class",
        host
          ? "function that reads the outside world: it must stand alone on the right of =, or in X, Set or R"
          : "function",
      ],
      ["write", `${host ? "result = " : ""}${name}${bracketsText(signature.parameters)}`],
      ["opcode", host ? `X result ${name}${parameters}` : `(${name}${parameters})`],
      ["call", `R core.${verb ?? name.toUpperCase()}${parameters} ->result`],
      ...factIf("takes", withoutMarkup(text?.takes ?? "")),
      ...factIf("fails", withoutMarkup(text?.fails ?? "")),
      ...factIf("also", listed(aliases)),
      ...factIf("example", withoutMarkup(text?.example ?? "")),
    ],
  };
}

/** The call of an example as the documentation writes it, `user = db.G("User", 7)`, made from the step of its definition. */
import { parse } from "../../grammar/parse.ts";
import { quoteText } from "../../grammar/text/quote.ts";

/** `source` is one `R` step; what is not one stays as it is. */
export function callText(source: string): string {
  const text = `L1: ${source}\n`;
  const [line] = parse(text).lines;
  const step = line?.kind === "label" && line.steps.length === 1 ? line.steps[0] : undefined;
  if (step?.op !== "R" || step.faulty) return source;
  const args = step.args.map((argument) => {
    // A bare word is the name of an entity, and text.
    if (argument.k === "name" || argument.k === "word") return quoteText(argument.v);
    return text.slice(argument.span.start, argument.span.end);
  });
  const call = `${step.adapter.text}.${step.verb.text}(${args.join(", ")})`;
  return step.out === null ? call : `${step.out.name} = ${call}`;
}

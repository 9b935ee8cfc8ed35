/**
 * Calls with brackets: which names are graphs of the file, what their inputs are, and findings about calls of other names.
 */
import type { CallInput, Operand, Slot } from "../../ast.ts";
import type { Reporter } from "../../reporter.ts";
import type { Span } from "../../text/span.ts";
import { adviceForMethod } from "../methods.ts";
import type { Expression, GraphNode, Parameter } from "../tree.ts";

type Call = Expression & { readonly e: "call" };
/** Functions that return a changed list or object, by the names of such methods in other languages. */
const CHANGES: Readonly<Record<string, string>> = { push: "push", append: "push", put: "put", set: "put" };

/** The calls of one file. */
export class GraphCalls {
  private readonly graphs: ReadonlyMap<string, readonly Parameter[]>;
  private readonly variables: ReadonlySet<string>;
  private readonly reporter: Reporter;
  private count = 0;

  constructor(graphs: readonly GraphNode[], variables: ReadonlySet<string>, reporter: Reporter) {
    this.graphs = new Map(
      graphs.filter(({ repeated }) => !repeated).map(({ name, parameters }) => [name.text, parameters]),
    );
    this.variables = variables;
    this.reporter = reporter;
  }

  isGraph({ text }: Slot): boolean {
    return this.graphs.has(text);
  }

  /** `http.GET(url)`, where no variable is named `http`. */
  isAdapter({ text }: Slot): boolean {
    const [root = "", ...verb] = text.split(".");
    return verb.length === 1 && root !== "core" && !this.isVariable(root);
  }

  private isVariable(name: string): boolean {
    return this.variables.has(name) || name.startsWith("_");
  }

  isKnown(name: string): boolean {
    return this.variables.has(name);
  }

  /** `ValueError("x")` after raise; `message` is the place of its text. */
  reportException(span: Span, name: string, message: Span | null, isOne: boolean): void {
    const { text } = this.reporter.source;
    const new_text = message === null ? `"${name}"` : text.slice(message.start, message.end);
    const suggestion = new_text.length <= 80 ? `write raise ${new_text}` : "write raise and the text";
    const fix = isOne ? { title: suggestion, edits: [{ span, new_text }] } : null;
    this.reporter.refuse(span, name.slice(0, 100), suggestion, fix, span);
  }

  /** A new name for a hidden variable, unused in the file. */
  hidden(kind: "value" | "item"): string {
    do this.count++;
    while (this.variables.has(`_${kind}${this.count}`));
    return `_${kind}${this.count}`;
  }

  /** The inputs of a call, in the order of the graph. */
  inputsOf({ fn, args: written, span }: Call, args: readonly Operand[]): readonly CallInput[] {
    const parameters = this.graphs.get(fn.text) ?? [];
    const names = parameters.map(({ name }) => name.name).join(", ");
    const surplus = written[parameters.length];
    const missing = parameters.slice(args.length).find(({ fallback, isInLine }) => fallback === null && !isInLine);
    if (surplus !== undefined) {
      const image = this.reporter.source.text.slice(surplus.span.start, surplus.span.end).slice(0, 100);
      const suggestion = names === "" ? `${fn.text} takes no inputs: add in: to it` : `${fn.text} takes ${names}`;
      this.reporter.refuse(surplus.span, image, suggestion);
    } else if (missing !== undefined) {
      const close = { ...span, start: span.end - 1, column: span.end_column - 1, line: span.end_line };
      this.reporter.refuse(close, ")", `${fn.text} takes ${names}`);
    }
    return parameters.slice(0, args.length).map(({ name }, at) => ({ name, value: args[at] as Operand }));
  }

  reportTarget({ span }: Expression): void {
    const { text } = this.reporter.source;
    const image = text.slice(span.start, span.end).slice(0, 100);
    this.reporter.refuse(span, image, "write name = value, name[key] = value or name.key = value");
  }

  /** `push(xs, 1)` and `xs.push(1)` on a line of their own: nothing uses the list that they return. */
  reportUnused(value: Expression): void {
    const { text } = this.reporter.source;
    const { span } = value;
    if (this.reporter.explainedCalls.has(span.start)) return;
    const written = text.slice(span.start, span.end);
    const better = value.e === "call" ? this.assigned(value, text) : null;
    const suggestion = better === null ? this.unused(value, written) : `write ${better}`;
    const fix = better === null ? null : { title: suggestion, edits: [{ span, new_text: better }] };
    this.reporter.refuse(span, written.slice(0, 100), suggestion, fix, span);
  }

  /** `xs.remove(1)`: storing its value would do nothing for it. */
  private unused(value: Expression, written: string): string {
    const [root = "", method] = value.e === "call" ? (/^([^.[]+).*\.([^.]+)$/.exec(value.fn.text)?.slice(1) ?? []) : [];
    if (method !== undefined && this.variables.has(root)) return adviceForMethod(method);
    if (root === "" && written.startsWith("sleep("))
      return `sleep takes milliseconds, and a line stores its value: write slept = ${written.slice(0, 80)}`;
    return `nothing uses this value: write name = ${written.slice(0, 80)}`;
  }

  /** `xs.sort()`: the assignment that does the same. */
  private changed(list: string, method: string, [first, second, ...more]: readonly string[]): string | null {
    if (!this.variables.has(/^[^.[]*/.exec(list)?.[0] ?? "") || more.length > 0) return null;
    if (first === undefined) return method === "sort" || method === "reverse" ? `${list} = ${method}(${list})` : null;
    if (second !== undefined) return method === "insert" && first === "0" ? `${list} = [${second}] + ${list}` : null;
    if (method === "extend" && !/[ ]/.test(first)) return `${list} = ${list} + ${first}`;
    return method === "update" ? `${list} = merge(${list}, ${first})` : null;
  }

  private assigned({ fn, args }: Call, text: string): string | null {
    const dot = fn.text.lastIndexOf(".");
    const method = CHANGES[fn.text.slice(dot + 1)];
    const words = args.map(({ span }) => text.slice(span.start, span.end));
    const changed = dot === -1 ? null : this.changed(fn.text.slice(0, dot), fn.text.slice(dot + 1), words);
    if (changed !== null) return changed;
    const list = dot === -1 ? words[0] : fn.text.slice(0, dot);
    if (method === undefined || list === undefined || !this.variables.has(/^[^.[]*/.exec(list)?.[0] ?? "")) return null;
    const all = dot === -1 ? words : [list, ...words];
    return `${list} = ${method}(${all.join(", ")})`;
  }
}

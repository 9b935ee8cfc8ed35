/**
 * JSON Schema of the indented form: a program as `{heads, graphs: [{graph, block}]}`. A statement of one line is a string; one with a block is an
 * object whose members are the words that the parser's rule of the statement reads: what stands after a word is a string in the notation of the
 * language, and the lines below it are a list. `sourceOfGraphs` turns such an object into a formatted program.
 */
import { indentedProductions } from "../indented/parser/program.ts";
import { isIndented } from "../surface.ts";
import { type Expression, isRule } from "./expression.ts";
import { formatted, type LinesResult } from "./json-schema.ts";
import { readProductions } from "./productions.ts";

type Schema = { readonly [member: string]: unknown };
type Bodies = ReadonlyMap<string, Expression>;

/** A member of a statement: the text after its word, the lines below, or a further word with members of its own. */
type Member =
  | { readonly is: "text"; readonly name: string; readonly optional: boolean }
  | { readonly is: "lines"; readonly name: string }
  | {
      readonly is: "parts";
      readonly name: string;
      readonly of: readonly Member[];
      readonly count: "one" | "maybe" | "many";
    };

/** Lines below text have no word of their own. */
const BLOCK = "block";
const LINE = "^[^\\r\\n]*\\S[^\\r\\n]*$";
/** Blocks in one another; the parser admits fewer. */
const MAX_DEPTH = 100;

// ---- from the parser's rules ----

/** The statements with blocks, by their members. */
function blockForms(): readonly (readonly Member[])[] {
  const bodies = readProductions(indentedProductions());
  const statement = bodies.get("statement");
  const rules = statement?.is === "choice" ? statement.of : [];
  return rules.flatMap((one) => {
    if (one.is !== "rule" || one.name.startsWith("stray-")) return [];
    const parts = flat(one, bodies);
    return parts.some((part) => isRule(part, BLOCK)) ? [membersOf(parts, bodies)] : [];
  });
}

/** The parts of a rule, those of the rules in it included, up to values and blocks. */
function flat(one: Expression, bodies: Bodies): readonly Expression[] {
  if (one.is === "sequence") return one.of.flatMap((part) => flat(part, bodies));
  const isOwn = one.is !== "rule" || one.name === "reading" || one.name === "anything" || one.name === BLOCK;
  return isOwn ? [one] : flat(bodies.get(one.name) ?? one, bodies);
}

/** The word that a token is: `if` of `If`, `in` of `InWord`; null for names and layout. */
function wordOf(one: Expression | undefined): string | null {
  if (one?.is !== "token" || one.type === "Comma" || one.type === "Newline") return null;
  return /^([A-Z][a-z]+)(?:Word)?$/.exec(one.type)?.[1]?.toLowerCase() ?? null;
}

/** What is read only to be reported. */
function isStray(one: Expression): boolean {
  return isRule(one, "anything") || (one.is === "repeat" && isRule(one.of, "anything"));
}

function membersOf(parts: readonly Expression[], bodies: Bodies): readonly Member[] {
  const members: Member[] = [];
  let word: string | null = null;
  let text: Member | null = null;
  for (const [at, part] of parts.entries()) {
    const next = wordOf(part);
    if (next !== null && members.some(({ is }) => is === "lines")) {
      members.push({ is: "parts", name: next, of: membersOf(parts.slice(at), bodies), count: "one" });
      break;
    }
    const inner = part.is === "optional" || part.is === "repeat" ? flat(part.of, bodies) : [];
    const begins = wordOf(inner[0]);
    if (next !== null) [word, text] = [next, null];
    else if (isRule(part, BLOCK)) {
      members.push({ is: "lines", name: text === null ? (word ?? BLOCK) : BLOCK });
    } else if (begins !== null && inner.some((one) => isRule(one, BLOCK))) {
      const count = part.is === "repeat" ? "many" : "maybe";
      members.push({ is: "parts", name: begins, of: membersOf(inner, bodies), count });
    } else if (begins !== null) members.push({ is: "text", name: begins, optional: true });
    else if (!isStray(part) && word !== null && text === null && !isLayout(part)) {
      text = { is: "text", name: word, optional: part.is === "optional" || part.is === "repeat" };
      members.push(text);
    }
  }
  return members;
}

function isLayout(one: Expression): boolean {
  return one.is === "token" && (one.type === "BlockColon" || one.type === "Newline");
}

// ---- the schema ----

/** The schema (draft 2020-12) of a program in the indented form. */
export function jsonSchemaOfGraphs(): Schema {
  const line = { type: "string", pattern: LINE };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Weft program, indented form",
    type: "object",
    required: ["graphs"],
    additionalProperties: false,
    properties: {
      heads: { type: "array", items: line, description: "includes, declarations and comments above the first graph" },
      graphs: {
        type: "array",
        minItems: 1,
        items: objectOf({ graph: { ...line, description: "main(a, b=3), without the colon" }, [BLOCK]: LINES }, [
          "graph",
          BLOCK,
        ]),
      },
    },
    $defs: {
      lines: { type: "array", minItems: 1, items: { $ref: "#/$defs/statement" } },
      statement: { oneOf: [{ ...line, description: "a statement of one line" }, ...blockForms().map(schemaOf)] },
    },
  };
}

const LINES = { $ref: "#/$defs/lines" };

function schemaOf(members: readonly Member[]): Schema {
  const of = (member: Member): Schema => {
    if (member.is === "text") return { type: "string", pattern: LINE };
    if (member.is === "lines" || isLinesAlone(member)) return LINES;
    return member.count === "many" ? { type: "array", items: schemaOf(member.of) } : schemaOf(member.of);
  };
  return objectOf(
    Object.fromEntries(members.map((member) => [member.name, of(member)])),
    members.filter(isRequired).map(({ name }) => name),
  );
}

function objectOf(properties: Schema, required: readonly string[]): Schema {
  return { type: "object", required, additionalProperties: false, properties };
}

/** `else`: its word has nothing but lines. */
function isLinesAlone(member: Member & { readonly is: "parts" }): boolean {
  return member.of.length === 1;
}

function isRequired(member: Member): boolean {
  if (member.is === "parts") return member.count === "one";
  return member.is === "lines" || !member.optional;
}

// ---- from JSON to source ----

/** The formatted program of such an object from outside, or the first thing that is wrong with it. */
export function sourceOfGraphs(program: unknown): LinesResult {
  const writer = new Writer(blockForms());
  writer.program(program);
  if (writer.fault !== null) return { ok: false, ...writer.fault };
  const text = `${writer.lines.map(({ text }) => text).join("\n")}\n`;
  const source = isIndented(text) ? text : `# surface: indented\n${text}`;
  return formatted(source, (line) => writer.lines[line]?.at ?? "");
}

type Fault = { readonly at: string; readonly message: string };

class Writer {
  readonly lines: { readonly text: string; readonly at: string }[] = [];
  fault: Fault | null = null;
  private readonly forms: ReadonlyMap<string, readonly Member[]>;

  constructor(forms: readonly (readonly Member[])[]) {
    this.forms = new Map(forms.map((members) => [members[0]?.name ?? "", members]));
  }

  program(program: unknown): void {
    if (!this.isObject(program, ["heads", "graphs"], "")) return;
    const { heads = [], graphs } = program;
    this.each(heads, "/heads", (one, at) => this.line(one, "", at));
    this.each(graphs, "/graphs", (graph, at) => {
      if (!this.isObject(graph, ["graph", BLOCK], at)) return;
      this.line(graph["graph"], "", `${at}/graph`, ":");
      this.block(graph[BLOCK], 1, `${at}/${BLOCK}`);
    });
  }

  private block(statements: unknown, depth: number, at: string): void {
    if (depth > MAX_DEPTH) this.refuse(at, "is nested too deeply");
    else this.each(statements, at, (one, place) => this.statement(one, depth, place));
  }

  private statement(one: unknown, depth: number, at: string): void {
    const indent = "  ".repeat(depth);
    if (typeof one === "string") {
      this.line(one, indent, at);
      return;
    }
    const word =
      typeof one === "object" && one !== null ? Object.keys(one).find((name) => this.forms.has(name)) : undefined;
    const members = word === undefined ? undefined : this.forms.get(word);
    if (members === undefined) this.refuse(at, "is neither a line nor a statement with a block");
    else this.members(one, members, depth, at);
  }

  private members(one: unknown, members: readonly Member[], depth: number, at: string): void {
    const names = members.map(({ name }) => name);
    if (!this.isObject(one, names, at)) return;
    const texts = members.filter(({ is }) => is === "text");
    const [first] = members;
    const head = first?.is === "lines" ? [first.name] : [];
    for (const { name, ...member } of texts) {
      const text = Object.hasOwn(one, name) ? one[name] : undefined;
      if (text === undefined && "optional" in member && member.optional) {
        if (name === first?.name) head.push(name);
        continue;
      }
      if (typeof text !== "string" || /[\r\n]/.test(text)) {
        this.refuse(`${at}/${name}`, "is not a text of one line");
        return;
      }
      head.push(name, text);
    }
    this.line(head.join(" "), "  ".repeat(depth), at, ":");
    for (const member of members) {
      const value = Object.hasOwn(one, member.name) ? one[member.name] : undefined;
      const place = `${at}/${member.name}`;
      if (member.is === "lines") this.block(value, depth + 1, place);
      if (member.is !== "parts" || (value === undefined && member.count !== "one")) continue;
      if (isLinesAlone(member)) this.members({ [member.name]: value }, member.of, depth, at);
      else if (member.count === "many")
        this.each(value, place, (part, inner) => this.members(part, member.of, depth, inner));
      else this.members(value, member.of, depth, place);
    }
  }

  private each(list: unknown, at: string, write: (one: unknown, at: string) => void): void {
    if (!Array.isArray(list)) this.refuse(at, "is not a list");
    else for (const [index, one] of list.entries()) if (this.fault === null) write(one, `${at}/${index}`);
  }

  private line(text: unknown, indent: string, at: string, end = ""): void {
    if (typeof text !== "string" || !new RegExp(LINE).test(text)) this.refuse(at, "is not a line");
    else this.lines.push({ text: `${indent}${text.trim()}${end}`, at });
  }

  private isObject(value: unknown, names: readonly string[], at: string): value is Record<string, unknown> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.refuse(at, "is not an object");
      return false;
    }
    const strange = Object.keys(value).find((name) => !names.includes(name));
    if (strange !== undefined) this.refuse(`${at}/${strange}`, "is not a member");
    return strange === undefined;
  }

  private refuse(at: string, message: string): void {
    this.fault ??= { at, message };
  }
}

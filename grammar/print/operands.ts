/**
 * Prints operands and conditions in their canonical form. Words and numbers
 * keep their spelling, so they are cut from the source text; literals that had a line break after their opening bracket
 * are laid out one element per line, with their comments. It knows nothing of statements.
 */
import type { CommentLine, Condition, MapEntry, Operand, Slot } from "../ast.ts";
import { operandsIn } from "../operands/operands.ts";
import { closingQuote } from "../operands/tokens.ts";
import { isLabelWord } from "../steps/slots.ts";
import { quoteText } from "../text/quote.ts";

type Literal = Operand & { readonly k: "list" | "map" };

/** Comments inside a statement, by the literal that prints them; those of no such literal go above the statement. */
type CommentPlaces = { readonly above: CommentLine[]; readonly inside: ReadonlyMap<Literal, CommentLine[]> };

const INDENT = "  ";

/** Collects the lines of one statement. */
export class StatementWriter {
  readonly lines: string[] = [];
  private line: string;
  private readonly text: string;
  private readonly places: CommentPlaces;

  constructor(text: string, indent: string, places: CommentPlaces) {
    this.text = text;
    this.line = indent;
    this.places = places;
  }

  finish(): readonly string[] {
    this.lines.push(this.line);
    return this.lines;
  }

  add(text: string): this {
    this.line += text;
    return this;
  }

  /** A slot after a blank. */
  word(text: string): this {
    this.line += ` ${text}`;
    return this;
  }

  private breakLine(indent: string): void {
    this.lines.push(this.line);
    this.line = indent;
  }

  // ---- operands ----

  operand(operand: Operand, indent: string): void {
    switch (operand.k) {
      case "str":
        this.add(quoteText(operand.v));
        return;
      case "list":
      case "map":
        this.literal(operand, indent);
        return;
      case "call":
        this.call(operand, indent);
        return;
      default:
        this.add(
          wordText(this.text.slice(operand.span.start, operand.span.end), operand.k === "word" ? operand.v : null),
        );
    }
  }

  private call(call: Operand & { k: "call" }, indent: string): void {
    const [left, right] = call.args;
    if (call.infix && left !== undefined && right !== undefined) {
      this.add("(");
      this.operand(left, indent);
      this.add(` ${call.fn.text} `);
      this.operand(right, indent);
      this.add(")");
      return;
    }
    this.add(`(${call.fn.text}`);
    for (const argument of call.args) {
      this.add(" ");
      this.operand(argument, indent);
    }
    this.add(")");
  }

  private literal(literal: Literal, indent: string): void {
    const [open, close] = literal.k === "list" ? ["[", "]"] : ["{", "}"];
    const comments = this.places.inside.get(literal) ?? [];
    const elements: readonly (Operand | MapEntry)[] = literal.k === "list" ? literal.items : literal.entries;
    this.add(open);
    if (isSpread(literal) && (elements.length > 0 || comments.length > 0))
      this.spread(literal, elements, comments, indent);
    else {
      elements.forEach((element, index) => {
        if (index > 0) this.add(", ");
        this.element(element, indent);
      });
    }
    this.add(close);
  }

  private element(element: Operand | MapEntry, indent: string): void {
    if ("k" in element) {
      this.operand(element, indent);
      return;
    }
    this.add(`${element.key.quoted ? quoteText(element.key.text) : element.key.text}: `);
    this.operand(element.value, indent);
  }

  /** One element per line. A comment after an element stays there, others stand above the next element. */
  private spread(
    literal: Literal,
    elements: readonly (Operand | MapEntry)[],
    comments: readonly CommentLine[],
    indent: string,
  ): void {
    const inner = indent + INDENT;
    let next = 0;
    let lastLine = literal.span.line;
    const flush = (before: number): void => {
      for (
        let comment = comments[next];
        comment !== undefined && comment.span.start < before;
        comment = comments[++next]
      ) {
        if (!comment.own_line && comment.span.line === lastLine) this.add(`  ${commentText(comment)}`);
        else {
          this.breakLine(inner);
          this.add(commentText(comment));
        }
        // Whatever comes next cannot stand after this comment.
        lastLine = -1;
      }
    };
    elements.forEach((element, index) => {
      const value = "k" in element ? element : element.value;
      flush(value.span.end);
      this.breakLine(inner);
      this.element(element, inner);
      if (index < elements.length - 1) this.add(",");
      lastLine = value.span.end_line;
    });
    flush(literal.span.end);
    this.breakLine(indent);
  }

  // ---- conditions ----

  condition(condition: Condition, indent: string): void {
    switch (condition.c) {
      case "not":
        this.add("not ");
        this.condition(condition.of, indent);
        return;
      case "truthy":
        this.operand(condition.of, indent);
        return;
      case "present":
        this.operand(condition.of, indent);
        this.add("?");
        return;
      case "cmp":
      case "text_eq":
        this.comparison(condition, indent);
    }
  }

  private comparison(condition: Condition & { c: "cmp" | "text_eq" }, indent: string): void {
    const { left, right } = condition;
    const bracketed = this.text.charAt(condition.span.start) === "(" && left.span.start > condition.span.start;
    if (bracketed) this.add("(");
    // Apart from its comparator, `d?` would ask whether d is set.
    const glued = condition.c === "text_eq" && this.isGluable(left, right);
    if (!glued && left.k === "word" && left.v.endsWith("?")) this.add(quoteText(left.v));
    else this.operand(left, indent);
    // Apart from it, a variable called not would negate what follows the exclamation mark.
    if (condition.c === "cmp") this.add(`${condition.op === "!=" && isNamedNot(left) ? "" : " "}${condition.op} `);
    else this.add(glued ? "=" : right.span.start === right.span.end ? " =" : " = ");
    if (right.span.start < right.span.end) this.operand(right, indent);
    if (bracketed) this.add(")");
  }

  /** Whether `left=right` is split at that `=` again when it is read. */
  private isGluable(left: Operand, right: Operand): boolean {
    const image = this.text.slice(left.span.start, left.span.end);
    const word = left.k !== "str" && left.k !== "list" && left.k !== "map" && left.k !== "call";
    const plain = left.k === "path" || !/["'=<>!]/.test(image);
    return word && plain && this.text.charAt(right.span.start) !== "=";
  }
}

function isNamedNot(operand: Operand): boolean {
  return operand.k === "name" && operand.v === "not";
}

/** The text of a bare word; a string joined to it is quoted anew. */
function wordText(image: string, value: string | null): string {
  if (value === null) return image;
  const joint = image.search(/=["']/);
  if (joint === -1 || closingQuote(image, joint + 1, image.length) !== image.length - 1) return image;
  return image.slice(0, joint + 1) + quoteText(value.slice(joint + 1));
}

export function slotText(text: string, slot: Slot): string {
  if (slot.quoted) return quoteText(slot.text);
  const image = text.slice(slot.span.start, slot.span.end);
  // A surplus structure over several lines and a surplus result stand in one spelling in the tree.
  return image.includes("\n") || image.startsWith("->") ? slot.text : wordText(image, slot.text);
}

export function commentText(comment: CommentLine): string {
  return `#${comment.text}`.trimEnd();
}

/** Laid out over several lines; not when a line of its own would make an element look like a label. */
function isSpread(literal: Literal): boolean {
  if (!literal.multiline) return false;
  if (literal.k === "map") return !literal.entries.some(({ key }) => !key.quoted && key.text.startsWith("L"));
  const last = literal.items.at(-1);
  return last?.k !== "word" || !isLabelWord(last.v);
}

// ---- comments inside a statement ----

/** Gives each comment to the innermost literal around it that is laid out over several lines. */
export function placeComments(operands: readonly Operand[], comments: readonly CommentLine[]): CommentPlaces {
  const above: CommentLine[] = [];
  const inside = new Map<Literal, CommentLine[]>();
  let next = 0;
  const takeBefore = (offset: number, owner: CommentLine[]): void => {
    for (
      let comment = comments[next];
      comment !== undefined && comment.span.start < offset;
      comment = comments[++next]
    ) {
      owner.push(comment);
    }
  };
  const visit = (operand: Operand, owner: CommentLine[]): void => {
    takeBefore(operand.span.start, owner);
    const own = ownComments(operand, owner, inside);
    for (const child of operandsIn(operand) ?? []) visit(child, own);
    takeBefore(operand.span.end, own);
  };
  if (comments.length > 0) for (const operand of operands) visit(operand, above);
  takeBefore(Number.POSITIVE_INFINITY, above);
  return { above, inside };
}

function ownComments(operand: Operand, owner: CommentLine[], inside: Map<Literal, CommentLine[]>): CommentLine[] {
  if ((operand.k !== "list" && operand.k !== "map") || !isSpread(operand)) return owner;
  const own: CommentLine[] = [];
  inside.set(operand, own);
  return own;
}

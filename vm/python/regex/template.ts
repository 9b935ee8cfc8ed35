/** Replacement templates of `sub` and `expand`: `\1`, `\g<name>`, escapes. */
import { INDEX_ERROR, raised } from "../exceptions.ts";
import type { Context } from "../object.ts";
import { repr } from "../operators/text.ts";
import type { Registers } from "./matcher.ts";
import { CONTROL_ESCAPES, checkName } from "./parse.ts";
import { lengthOf, Tokens } from "./tokens.ts";

/** Literal text, or the number of a group. */
export type Template = readonly (string | number)[];

const DIGIT = /^[0-9]$/;
const OCTAL = /^[0-7]$/;

export function parseTemplate(
  text: string,
  { groups, names }: { readonly groups: number; readonly names: ReadonlyMap<string, number> },
  ctx: Context,
): Template {
  const tokens = new Tokens(text);
  const parts: (string | number)[] = [];
  let literal = "";
  const addGroup = (index: number, offset: number): void => {
    if (index > groups) throw tokens.error(`invalid group reference ${index}`, offset);
    if (literal !== "") parts.push(literal);
    literal = "";
    parts.push(index);
  };
  for (let piece = tokens.get(); piece !== null; piece = tokens.get()) {
    if (!piece.startsWith("\\")) {
      literal += piece;
      continue;
    }
    const letter = piece.slice(1);
    if (letter === "g") {
      if (!tokens.match("<")) throw tokens.error("missing <");
      const name = tokens.getUntil(">", "group name");
      addGroup(numberOf(name, names, tokens, ctx), lengthOf(name) + 1);
    } else if (letter === "0") {
      const digits = letter + tokens.getWhile(2, OCTAL);
      literal += String.fromCharCode(Number.parseInt(digits, 8) & 0xff);
    } else if (DIGIT.test(letter)) {
      let digits = letter;
      if (DIGIT.test(tokens.next ?? "")) {
        digits += tokens.get();
        if (OCTAL.test(letter) && OCTAL.test(digits.charAt(1)) && OCTAL.test(tokens.next ?? "")) {
          digits += tokens.get();
          const code = Number.parseInt(digits, 8);
          if (code > 0o377)
            throw tokens.error(`octal escape value \\${digits} outside of range 0-0o377`, digits.length + 1);
          literal += String.fromCharCode(code);
          continue;
        }
      }
      addGroup(Number(digits), digits.length);
    } else {
      const control = CONTROL_ESCAPES[letter];
      if (control === undefined && /^[A-Za-z]$/.test(letter)) throw tokens.error(`bad escape ${piece}`, 2);
      literal += control ?? piece;
    }
  }
  if (literal !== "") parts.push(literal);
  return parts;
}

function numberOf(name: string, names: ReadonlyMap<string, number>, tokens: Tokens, ctx: Context): number {
  if (/^[0-9]+$/.test(name)) return Number(name);
  checkName(tokens, name);
  const index = names.get(name);
  if (index === undefined) throw raised(INDEX_ERROR, `unknown group name ${repr(name, ctx)}`);
  return index;
}

/** Null: the group took no part. */
export function groupText(text: string, registers: Registers, number: number): string | null {
  const start = registers[2 * number] as number;
  const end = registers[2 * number + 1] as number;
  return start < 0 || end < 0 ? null : text.slice(start, end);
}

export function expanded(template: Template, text: string, registers: Registers): string {
  let result = "";
  for (const part of template) result += typeof part === "string" ? part : (groupText(text, registers, part) ?? "");
  return result;
}

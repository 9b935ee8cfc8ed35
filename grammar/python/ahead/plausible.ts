/**
 * Whether a text can still become a program of the Python form. What is above the unfinished line is read by the parser, with something in place of
 * that line; the line itself has to begin a sentence of the parser's rules.
 */
import { parsePython } from "../parse.ts";
import { type Cursor, cursorOf, type Head, headsAbove } from "./cursor.ts";
import { canContinue } from "./line.ts";

/** Faults that later lines take away. */
const TO_COME: ReadonlySet<string> = new Set(["nonlocal_unbound"]);

export function plausiblePython(prefix: string): boolean {
  const text = prefix.replace(/[\uD800-\uDBFF]$/, "");
  const cursor = cursorOf(text);
  if (cursor.isBroken) return false;
  const above = text.slice(0, cursor.from);
  const heads = headsAbove(text, cursor.above);
  const line = text.slice(cursor.from);
  const isSound = placesOf(cursor, line, heads).some((place) => isRead(above, place, heads));
  return isSound && canContinue(text, cursor);
}

/** A line that may stand in place of the unfinished one. */
type Place = { readonly indent: string; readonly line: string };

const WORDS: Readonly<Record<string, string>> = {
  elif: "elif a:pass",
  else: "else:pass",
  except: "except:pass",
  finally: "finally:pass",
  case: "case 0:pass",
  def: "def a():pass",
  class: "class a:pass",
  async: "async def a():pass",
  "@": "@a\ndef a():pass",
};
const ANY = "pass";

function placesOf({ tokens, open }: Cursor, line: string, heads: readonly Head[]): readonly Place[] {
  const blanks = /^[ \t\f]*/.exec(line)?.[0] ?? "";
  const [first] = tokens;
  if (first !== undefined || open?.kind === "text") {
    const word = first?.image ?? "";
    const isPartial = tokens.length === 1 && open === null && line.trimEnd() === line;
    const fitting = Object.keys(WORDS).filter(
      (one) => one === word || (isPartial && word !== "" && one.startsWith(word)),
    );
    // `case` is a name, too, and so may be what an unfinished word becomes.
    const isName = !(word in WORDS) || word === "case" || isPartial;
    const lines = [...fitting.map((one) => WORDS[one] as string), ...(isName ? [ANY] : [])];
    return lines.map((one) => ({ indent: blanks, line: one }));
  }
  // Nothing is written yet: any level that these blanks may become.
  const last = heads.at(-1);
  const levels = heads.map(({ indent }) => indent);
  if (last?.opens === true) levels.push(`${last.indent}    `, `${last.indent}\t`);
  if (last === undefined) levels.push("");
  // What is deeper than the next line may be a comment.
  const reached = levels.filter((indent) => indent.startsWith(blanks) || open?.kind === "comment");
  const indents = reached.length > 0 ? reached : last?.opens === true ? [blanks, ...levels] : levels;
  return [...new Set(indents)].flatMap((indent) =>
    [ANY, WORDS["finally"], WORDS["case"], WORDS["def"]].map((one) => ({ indent, line: one as string })),
  );
}

/** Whether the parser reads the lines above with that line below them. */
function isRead(above: string, { indent, line }: Place, heads: readonly Head[]): boolean {
  const around = heads.filter((head) => head.indent.length < indent.length && head.opens);
  const ends = around
    .filter(({ first }) => first.image === "try")
    .reverse()
    .map((head) => `${head.indent}finally:pass\n`);
  const body = line
    .split("\n")
    .map((one) => `${indent}${one}\n`)
    .join("");
  const { faults } = parsePython(`${above}${body}${ends.join("")}`);
  return faults.every(({ fault }) => TO_COME.has(fault));
}

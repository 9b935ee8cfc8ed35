/** `match x:` with its cases, which other languages have, as the conditions of this form. Knows the text of one statement. */

/** A name or a path, which may be read once for each case. */
const SUBJECT = /^match[ \t]+([\p{L}_][\p{L}\p{Nd}_.]*)[ \t]*:$/u;
const CASE = /^case[ \t]+((?:"[^"]*"|'[^']*'|[^"':])+):[ \t]*(.*)$/;
const LITERAL = /^(?:-?[0-9]+(?:\.[0-9]+)?|"[^"\\]*"|'[^'\\]*'|True|False|None|true|false|null)$/;
/** A longer statement gets no edit. */
const MAX_LENGTH = 20_000;

/** The statement that begins at `start`, written with `if`, and where it ends; null where a case is more than literals. */
export function matchAsIf(text: string, start: number): { readonly end: number; readonly written: string } | null {
  const head = lineAt(text, start);
  const subject = SUBJECT.exec(head.trimEnd())?.[1];
  if (subject === undefined) return null;
  const margin = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const written: string[] = [];
  let end = start;
  let deep = 0;
  let isOver = false;
  for (let at = start + head.length + 1; at < text.length; ) {
    const line = lineAt(text, at);
    const code = line.trim();
    const depth = line.length - line.trimStart().length;
    if (code !== "" && depth <= margin.length) break;
    if (at - start > MAX_LENGTH || /"""|'''/.test(line)) return null;
    at += line.length + 1;
    if (code !== "" && deep === 0) deep = depth;
    if (code === "") written.push("");
    else if (depth > deep) written.push(line.slice(deep - margin.length).trimEnd());
    else {
      const [, pattern = "", rest = ""] = CASE.exec(code) ?? [];
      const condition: string | null = isOver ? null : conditionOf(subject, pattern.trim());
      isOver = condition === "";
      if (condition === null || (isOver && written.length === 0)) return null;
      const word = isOver ? "else" : `${written.length === 0 ? "if" : "elif"} ${condition}`;
      written.push(`${margin}${word}:${rest.startsWith("#") ? ` ${rest}` : ""}`);
      if (rest !== "" && !rest.startsWith("#")) written.push(line.slice(0, deep) + rest);
    }
    if (code !== "") end = at - 1;
  }
  while (written.at(-1) === "") written.pop();
  return written.length === 0 ? null : { end, written: written.join("\n").trimStart() };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return text.slice(start, end === -1 ? text.length : end);
}

/** Empty for `_`, which takes what is left; null for what is not literals. */
function conditionOf(subject: string, pattern: string): string | null {
  if (pattern === "_") return "";
  const values = pattern.split("|").map((value) => value.trim());
  if (!values.every((value) => LITERAL.test(value))) return null;
  return values.length === 1 ? `${subject} == ${values[0]}` : `${subject} in [${values.join(", ")}]`;
}

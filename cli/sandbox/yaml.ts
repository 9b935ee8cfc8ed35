/** JSON values as YAML in block style. Texts are written as JSON, which YAML reads the same, so nothing in them needs care. */
import type { Json } from "../../compiler/json.ts";

export function yamlText(value: Json): string {
  return `${lines(value).join("\n")}\n`;
}

function lines(value: Json): string[] {
  if (Array.isArray(value))
    return value.length === 0 ? ["[]"] : value.flatMap((item: Json) => nested("- ", lines(item)));
  if (typeof value !== "object" || value === null) return [JSON.stringify(value)];
  const members = Object.entries(value);
  if (members.length === 0) return ["{}"];
  return members.flatMap(([key, member]: [string, Json]) => {
    const name = /^[A-Za-z_][\w.-]*$/.test(key) ? key : JSON.stringify(key);
    const below = lines(member);
    if (isBlock(member)) return [`${name}:`, ...below.map((line) => `  ${line}`)];
    return [`${name}: ${below[0] ?? ""}`];
  });
}

function isBlock(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** The first line after a sign, the others indented below it. */
function nested(sign: string, below: readonly string[]): string[] {
  return below.map((line, at) => `${at === 0 ? sign : " ".repeat(sign.length)}${line}`);
}

/** The body of an answer as a value: by its type, or as the program asked. */
import type { Json } from "../../compiler/json.ts";
import { textOfCharset } from "../guard/charset.ts";
import type { RequestOptions } from "./arguments.ts";

/** `flags` are members of the envelope that say what is wrong with the body. */
export type BodyValue = { readonly body: Json; readonly flags: { readonly lossy?: true; readonly parse_error?: true } };

const JSON_TYPE = /^(?:application\/json|[^;\s]+\+json)$/;
const TEXT_TYPE =
  /^(?:text\/.+|.+\+xml|application\/(?:xml|xhtml|javascript|ecmascript|yaml|x-yaml|x-ndjson|ndjson|x-www-form-urlencoded))$/;
/** Only such a number can be too large for a double. Digits are counted from their first alone, however many runs of them there are. */
const LONG_NUMBER = /(?<![0-9])[0-9]{300}|[eE]\+?[0-9]{3}/;

export function bodyValue(bytes: Buffer, contentType: string, mode: RequestOptions["response"]): BodyValue {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim());
  switch (mode === "auto" ? modeOf(type.toLowerCase(), bytes) : mode) {
    case "json":
      return jsonValue(textOf(bytes, charsetOf(parameters)));
    case "text": {
      const { text, flags } = textOf(bytes, charsetOf(parameters));
      return { body: text, flags };
    }
    case "base64":
      return { body: { $base64: bytes.toString("base64") }, flags: {} };
    case "none":
      return { body: null, flags: {} };
  }
}

function modeOf(type: string, bytes: Buffer): "json" | "text" | "base64" {
  if (JSON_TYPE.test(type)) return "json";
  if (TEXT_TYPE.test(type)) return "text";
  // Without a type nothing says that these are bytes, so what reads as text is text.
  return type === "" && !("lossy" in textOf(bytes, "utf-8").flags) ? "text" : "base64";
}

function charsetOf(parameters: readonly string[]): string {
  const given = parameters.find((parameter) => /^charset\s*=/i.test(parameter));
  return given?.replace(/^[^=]*=\s*/, "").replaceAll('"', "") ?? "utf-8";
}

type Text = { readonly text: string; readonly flags: { readonly lossy?: true } };

function textOf(bytes: Buffer, charset: string): Text {
  try {
    return { text: textOfCharset(bytes, charset, { fatal: true }), flags: {} };
  } catch {
    return { text: lossyText(bytes, charset), flags: { lossy: true } };
  }
}

/** A charset that nobody knows is read as UTF-8. */
function lossyText(bytes: Buffer, charset: string): string {
  try {
    return textOfCharset(bytes, charset, { fatal: false });
  } catch {
    return textOfCharset(bytes, "utf-8", { fatal: false });
  }
}

function jsonValue({ text, flags }: Text): BodyValue {
  try {
    const body: Json = JSON.parse(text);
    if (!LONG_NUMBER.test(text) || allFinite(body)) return { body, flags };
  } catch {
    // Not JSON, whatever its type says.
  }
  return { body: text, flags: { ...flags, parse_error: true } };
}

/** Whether all numbers are finite. */
function allFinite(value: Json): boolean {
  const open: Json[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === "number" && !Number.isFinite(one)) return false;
    if (typeof one === "object" && one !== null) for (const member of Object.values(one)) open.push(member);
  }
  return true;
}

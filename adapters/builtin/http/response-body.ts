/** The body of an answer as a value: by its type, or as the program asked. */
import type { Json } from "../../../compiler/json.ts";
import { charsetOfDeclaration, charsetOfMark, charsetParameter, textOfCharset } from "../../content/charset.ts";
import { parsedDocument } from "../../content/json-document.ts";
import type { RequestOptions } from "./arguments.ts";

/** `flags` are members of the envelope that say what is wrong with the body. */
export type BodyValue = { readonly body: Json; readonly flags: { readonly lossy?: true; readonly parse_error?: true } };

const JSON_TYPE = /^(?:application\/json|[^;\s]+\+json)$/;
const TEXT_TYPE =
  /^(?:text\/.+|.+\+xml|application\/(?:xml|xhtml|javascript|ecmascript|yaml|x-yaml|x-ndjson|ndjson|x-www-form-urlencoded))$/;
/** Only such a number can be too large for a double. Digits are counted from their first alone, however many runs of them there are. */
const LONG_NUMBER = /(?<![0-9])[0-9]{300}|[eE]\+?[0-9]{3}/;

/** Rejects with ADAPTER_TOO_LARGE when JSON takes more than `maxHeap` bytes of heap as values. */
export async function bodyValue(
  bytes: Buffer,
  contentType: string,
  mode: RequestOptions["response"],
  maxHeap: number,
): Promise<BodyValue> {
  const [written = ""] = contentType.split(";");
  const type = written.trim().toLowerCase();
  const mark = type === "" ? null : charsetOfMark(bytes);
  const charset = mark ?? charsetParameter(contentType) ?? declaredCharset(type, bytes) ?? "utf-8";
  switch (mode === "auto" ? modeOf(type, bytes) : mode) {
    case "json":
      return jsonValue(textOf(bytes, charset), maxHeap);
    case "text": {
      const { text, flags } = textOf(bytes, charset);
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

const XML_TYPE = /^(?:text\/xml|application\/xml|.+\+xml)$/;
const HTML_TYPE = /^(?:text\/html|application\/xhtml\+xml)$/;
/** Pages say their charset in the first kilobyte (HTML, 4.2.5.4). */
const META_CHARSET = /<meta\s[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]+)/i;

/** What XML and HTML say of themselves; null: nothing, or another type. */
function declaredCharset(type: string, bytes: Buffer): string | null {
  const declared = XML_TYPE.test(type) ? charsetOfDeclaration(bytes) : null;
  if (declared !== null || !HTML_TYPE.test(type)) return declared;
  const meta = META_CHARSET.exec(bytes.toString("latin1", 0, 1024))?.[1] ?? null;
  return meta !== null && /^utf-?16/i.test(meta) ? "utf-8" : meta;
}

type Text = { readonly text: string; readonly flags: { readonly lossy?: true } };

function textOf(bytes: Buffer, charset: string): Text {
  try {
    return { text: textOfCharset(bytes, charset, { fatal: true }), flags: {} };
  } catch {
    return { text: lossyText(bytes, charset), flags: { lossy: true } };
  }
}

/** An unknown charset is read as UTF-8. */
function lossyText(bytes: Buffer, charset: string): string {
  try {
    return textOfCharset(bytes, charset, { fatal: false });
  } catch {
    return textOfCharset(bytes, "utf-8", { fatal: false });
  }
}

async function jsonValue({ text, flags }: Text, maxHeap: number): Promise<BodyValue> {
  try {
    const body = await parsedDocument(text, maxHeap);
    if (!LONG_NUMBER.test(text) || allFinite(body)) return { body, flags };
  } catch (thrown) {
    // Not JSON, whatever its type says.
    if (!(thrown instanceof SyntaxError)) throw thrown;
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

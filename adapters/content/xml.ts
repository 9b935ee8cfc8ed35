/**
 * XML from servers, for all who read it: document types are refused and entities other than the five of XML stay as they are written, so
 * nothing in a document can grow or reach out; depth and markup are bounded. What the elements mean, the callers know.
 */
import { isObject, type Json, type JsonObject } from "../../compiler/json.ts";
import { adapterError } from "../errors.ts";
import { packageMissing } from "../packages.ts";

const MAX_DEPTH = 32;

const ATTRIBUTE = "@";
const TEXT = "#text";
const CDATA = "#cdata";

export type XmlReading = {
  /** What is read, as it begins a message: `the feed`. */
  readonly what: string;
  /** Most tags and attributes, which is what parsing costs. */
  readonly maxMarkup: number;
  /** Names of elements and attributes lose their namespace prefix, which each server chooses for itself. */
  readonly dropPrefixes?: boolean;
  /** Paths of elements whose content stays markup, for `markupIn`: `feed.entry.title`. */
  readonly markup?: readonly string[];
};

/** The document as an element that holds the root. Throws ADAPTER_BAD_DATA, TOO_LARGE, and NOT_CONFIGURED without the package. */
export async function parseXml(text: string, reading: XmlReading): Promise<JsonObject> {
  refuseHostile(text, reading);
  const { XMLParser, XMLValidator } = await loadParser(reading.what);
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: ATTRIBUTE,
    textNodeName: TEXT,
    cdataPropName: CDATA,
    parseTagValue: false,
    processEntities: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    maxNestedTags: MAX_DEPTH,
    removeNSPrefix: reading.dropPrefixes ?? false,
    stopNodes: [...(reading.markup ?? [])],
  });
  if (XMLValidator.validate(text) !== true) throw badXml(reading, "is not well-formed");
  try {
    return parser.parse(text) as JsonObject;
  } catch (cause) {
    throw badXml(reading, "is not well-formed", cause);
  }
}

function badXml({ what }: XmlReading, fault: string, cause?: unknown): Error {
  return adapterError("ADAPTER_BAD_DATA", `${what} ${fault}`, { cause });
}

/** What would cost too much to parse, and what must not be parsed at all. */
function refuseHostile(text: string, reading: XmlReading): void {
  const root = text.search(/<[A-Za-z_]/);
  if (/<!DOCTYPE/i.test(root < 0 ? text : text.slice(0, root))) throw badXml(reading, "has a document type");
  if (occurrences(text, "<") + occurrences(text, "=") + wordsInTags(text) > reading.maxMarkup)
    throw adapterError("ADAPTER_TOO_LARGE", `${reading.what} has more tags and attributes than can be read`);
}

function occurrences(text: string, sign: string): number {
  let count = 0;
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1)) count += 1;
  return count;
}

/** The parser takes each word of a tag for an attribute, with a value or without. */
function wordsInTags(text: string): number {
  let words = 0;
  for (let open = text.indexOf("<"), end = 0; open >= 0; open = text.indexOf("<", end)) {
    const mark = Object.keys(VERBATIM).find((one) => text.startsWith(one, open));
    if (mark !== undefined) {
      end = endAfter(text, VERBATIM[mark] ?? "", open + mark.length);
      continue;
    }
    let quote = "";
    for (end = open + 1; end < text.length; end++) {
      const sign = text.charAt(end);
      if (quote === "" && sign === ">") break;
      if (isBlank(sign) && !isBlank(text.charAt(end + 1))) words += 1;
      else if (sign === quote) quote = "";
      else if (quote === "" && (sign === '"' || sign === "'")) quote = sign;
    }
  }
  return words;
}

/** Markup that is not a tag, and how it ends. */
const VERBATIM: Readonly<Record<string, string>> = { "<!--": "-->", "<![CDATA[": "]]>" };

function endAfter(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at + mark.length;
}

function isBlank(sign: string): boolean {
  return sign === " " || sign === "\t" || sign === "\n" || sign === "\r";
}

async function loadParser(what: string) {
  try {
    return await import("fast-xml-parser");
  } catch (cause) {
    throw packageMissing(`${what} is XML, which`, "fast-xml-parser", cause);
  }
}

/** The elements of a name; one without attributes and elements is only text. */
export function elements(element: JsonObject | null, name: string): readonly JsonObject[] {
  const value = element !== null && Object.hasOwn(element, name) ? element[name] : undefined;
  if (value === undefined) return [];
  const list: readonly Json[] = Array.isArray(value) ? value : [value];
  return list.map((one) => (isObject(one) ? one : { [TEXT]: one }));
}

export function firstElement(element: JsonObject | null, name: string): JsonObject | null {
  return elements(element, name)[0] ?? null;
}

/** The names of the elements inside, without those of text and attributes. */
export function elementNames(element: JsonObject): readonly string[] {
  return Object.keys(element).filter((name) => !name.startsWith(ATTRIBUTE) && name !== TEXT && name !== CDATA);
}

export function attributeOf(element: JsonObject | null, name: string): string | undefined {
  const value = element?.[`${ATTRIBUTE}${name}`];
  return typeof value === "string" ? decoded(value) : undefined;
}

/** The text in the first element of a name, without that of elements inside. */
export function textIn(element: JsonObject | null, name: string): string | undefined {
  const found = firstElement(element, name);
  if (found === null) return undefined;
  const text = decoded(joined(found[TEXT])) + joined(found[CDATA]);
  return text === "" ? undefined : text;
}

const MARKUP = /<!\[CDATA\[(.*?)\]\]>|<!--.*?-->|<\/?([\w:.-]*)(?:"[^"]*"|'[^']*'|[^<>"'])*>|([^<]+)/gs;
/** Elements that stand on lines of their own. */
const BLOCK =
  /^(?:.*:)?(?:address|article|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|td|th|tr|ul)$/i;

/** The text in the first element of a name that was read as markup, with that of all elements inside, in order. */
export function markupIn(element: JsonObject | null, name: string): string | undefined {
  const found = firstElement(element, name);
  if (found === null) return undefined;
  let text = "";
  for (const [, cdata, tag, plain] of joined(found[TEXT]).matchAll(MARKUP)) {
    if (plain !== undefined) text += decoded(plain);
    else text += cdata ?? (BLOCK.test(tag ?? "") ? " " : "");
  }
  const isPage = attributeOf(found, "type")?.toLowerCase() === "xhtml";
  const result = isPage ? text.replace(/\s+/g, " ").trim() : text;
  return result === "" ? undefined : result;
}

function joined(value: Json | undefined): string {
  if (Array.isArray(value)) return (value as readonly Json[]).map(joined).join("");
  if (isObject(value)) return joined(value[TEXT]);
  return typeof value === "string" ? value : "";
}

const PREDEFINED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** The five entities of XML and numbers of characters; every other reference stays as it is written. */
function decoded(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/g,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return PREDEFINED[name] ?? whole;
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)
        ? String.fromCodePoint(point)
        : whole;
    },
  );
}

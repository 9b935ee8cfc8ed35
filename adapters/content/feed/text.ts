/** From the bytes of an answer to a feed: which charset, and which format. */
import { charsetOfDeclaration, charsetOfMark, charsetParameter, textOfFirst } from "../charset.ts";
import { badFeed, type Feed } from "./feed.ts";
import { jsonFeed } from "./json.ts";
import { xmlFeed } from "./xml.ts";

/** `contentType`: as the server says; `address`: of the feed, for links that are relative. Throws ADAPTER_BAD_DATA and ADAPTER_TOO_LARGE. */
export async function parseFeed(bytes: Uint8Array, contentType: string, address = ""): Promise<Feed> {
  const text = decodedText(bytes, contentType).trimStart();
  if (text === "") throw badFeed("is empty");
  return text.startsWith("{") ? jsonFeed(text, address) : xmlFeed(text, address);
}

/**
 * By a byte order mark, else what the server says, else what the XML declaration says: the first of them that fits all bytes, because
 * servers often say one charset for all they have. Without a declaration it may be UTF-8.
 */
function decodedText(bytes: Uint8Array, contentType: string): string {
  const declared = charsetOfDeclaration(bytes) ?? "utf-8";
  const { text, lossy } = textOfFirst(bytes, [charsetOfMark(bytes), charsetParameter(contentType), declared]);
  if (lossy) throw badFeed("is not text of its charset");
  return text;
}

/** From the bytes of an answer to a feed: which charset, and which format. */
import { textOfCharset } from "../guard/charset.ts";
import { badFeed, type Feed } from "./feed.ts";
import { jsonFeed } from "./feed-json.ts";
import { xmlFeed } from "./feed-xml.ts";

/** `contentType`: as the server says. Throws ADAPTER_BAD_DATA and ADAPTER_TOO_LARGE. */
export async function parseFeed(bytes: Uint8Array, contentType: string): Promise<Feed> {
  const text = decodedText(bytes, contentType).trimStart();
  if (text === "") throw badFeed("is empty");
  return text.startsWith("{") ? jsonFeed(text) : xmlFeed(text);
}

/** What the server says, else what the XML declaration says, else UTF-8. A byte order mark decides before all. */
function decodedText(bytes: Uint8Array, contentType: string): string {
  const said = /;\s*charset\s*=\s*"?([A-Za-z0-9_:.-]+)/i.exec(contentType)?.[1];
  const beginning = Buffer.from(bytes.subarray(0, 300)).toString("latin1");
  const declared = /^<\?xml[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9_:.-]+)/.exec(beginning)?.[1];
  try {
    return textOfCharset(bytes, bomCharset(bytes) ?? said ?? declared ?? "utf-8", { fatal: true });
  } catch (cause) {
    throw badFeed("is not text of its charset", cause);
  }
}

function bomCharset(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? "utf-8" : null;
}

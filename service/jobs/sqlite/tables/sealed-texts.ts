/**
 * Texts of a file end with their checksum. SQLite notices damage to the structure of a page and not to the text in it; a damaged text that
 * still is JSON would be a wrong result.
 */
import { crc32 } from "node:zlib";
import { StoreDamaged } from "../../durable/journal-rows.ts";

/** A line of its own after the text. */
const SEAL_LENGTH = 9;
const SEAL = /^\n[0-9a-f]{8}$/;
/** How texts of earlier versions end, which have no seal: they are documents of JSON, or lines of them. */
const DOCUMENT_END = /[}\]]\s*$/;

/** `of`: what the text belongs to, so that one is not taken for that of another. */
export function sealed(text: string, of: string): string {
  return text + sealOf(text, of);
}

/** Throws StoreDamaged. */
export function opened(stored: string, of: string): string {
  const seal = stored.slice(-SEAL_LENGTH);
  const text = stored.slice(0, -SEAL_LENGTH);
  if (SEAL.test(seal) && sealOf(text, of) === seal) return text;
  if (!SEAL.test(seal) && DOCUMENT_END.test(seal) && isDocument(stored)) return stored;
  throw new StoreDamaged(`the text of ${of}`);
}

/** Damage may put such an end in the place of a seal; and what it leaves is not a document any more. */
function isDocument(stored: string): boolean {
  return isJson(stored) || stored.trimEnd().split("\n").every(isJson);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function sealOf(text: string, of: string): string {
  return `\n${crc32(text, crc32(of)).toString(16).padStart(8, "0")}`;
}

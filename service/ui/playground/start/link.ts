/**
 * A link that holds a program in its fragment, which browsers send to no server. It holds the program alone: inputs may be personal. Opening one
 * runs nothing.
 */
const NAME = "#program=";

/** Characters of a fragment. Longer ones are cut or refused where links are pasted into. */
export const MAX_FRAGMENT = 64 * 1024;

export type Linked =
  | { readonly kind: "none" }
  | { readonly kind: "program"; readonly code: string }
  | { readonly kind: "unreadable"; readonly why: string };

/** null: the program is too long for a link. */
export function fragmentOf(code: string): string | null {
  // A character is a byte at least, and four characters hold three bytes.
  if (code.length > MAX_FRAGMENT) return null;
  const bytes = new TextEncoder().encode(code);
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const fragment = NAME + text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return fragment.length > MAX_FRAGMENT ? null : fragment;
}

export function linkedProgram(fragment: string): Linked {
  if (!fragment.startsWith(NAME)) return { kind: "none" };
  if (fragment.length > MAX_FRAGMENT)
    return unreadable(`it has ${fragment.length.toLocaleString("en")} characters, and a link may have 65,536`);
  const text = fragment.slice(NAME.length);
  if (!/^[\w-]*$/.test(text)) return unreadable("it has characters that such a link does not have");
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return { kind: "program", code: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return unreadable("it is not whole, or was changed on its way");
  }
}

const unreadable = (why: string): Linked => ({
  kind: "unreadable",
  why: `the program in the link cannot be read: ${why}`,
});

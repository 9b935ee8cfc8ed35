/**
 * Reading a URL without an exception. `URL.canParse` is not asked anywhere: once it runs hot, Node 20 takes Latin-1 text for UTF-8 there
 * and refuses `https://bücher.example`.
 */
export function readUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

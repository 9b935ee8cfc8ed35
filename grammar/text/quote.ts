/**
 * Text as a string literal: double quotes, unless single quotes need fewer escapes. A
 * backslash is only doubled where it would otherwise join with what follows. It knows nothing but the escapes of 2.2.
 */

const CONTROL_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\t": "\\t", "\r": "\\r" };

export function quoteText(text: string): string {
  const double = escaped(text, '"', /["\\ntr\n\t\r]/);
  // Single quotes know no escape for these.
  if (/[\n\t\r]/.test(text)) return `"${double.body}"`;
  const single = escaped(text, "'", /['\\]/);
  return single.count < double.count ? `'${single.body}'` : `"${double.body}"`;
}

function escaped(text: string, quote: string, joins: RegExp): { body: string; count: number } {
  let body = "";
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const control = quote === '"' ? CONTROL_ESCAPES[character] : undefined;
    const next = text.charAt(at + 1);
    const escapes = character === quote || (character === "\\" && (next === "" || joins.test(next)));
    if (control !== undefined) body += control;
    else body += escapes ? `\\${character}` : character;
    if (control !== undefined || escapes) count++;
  }
  return { body, count };
}

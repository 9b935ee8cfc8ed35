/** What this page may do, as the service wrote it into the page. */
const [mode = "read", ...words] = (
  document.querySelector<HTMLMetaElement>('meta[name="weft-rules"]')?.content ?? "read"
).split(" ");

export const RULES = {
  act: mode === "act",
  values: words.includes("values"),
  people: words.includes("people"),
} as const;

/** What this page may do, as the service wrote it into the page. */
const [mode = "read", ...words] = (
  document.querySelector<HTMLMetaElement>('meta[name="weft-rules"]')?.content ?? "read"
).split(" ");

export const RULES = {
  /** It may change something; in a playground alone, run what is written there. */
  act: mode === "act" || mode === "playground",
  /** There is nothing but the playground. */
  playground: mode === "playground",
  values: words.includes("values"),
  people: words.includes("people"),
  /** The service lists jobs, recent runs and questions. */
  lists: !words.includes("unlisted"),
} as const;

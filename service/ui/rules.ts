/** What this page may do, as the service wrote it into the page. */
const [mode = "read", values] = (
  document.querySelector<HTMLMetaElement>('meta[name="weft-rules"]')?.content ?? "read"
).split(" ");

export const RULES = { act: mode === "act", values: values === "values" } as const;

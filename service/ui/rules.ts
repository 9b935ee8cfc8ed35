/** What this page may do, as the service wrote it into the page. */
const [mode = "read", ...words] = (
  document.querySelector<HTMLMetaElement>('meta[name="weft-rules"]')?.content ?? "read"
).split(" ");

const [version = "", environment = "", name = ""] = (
  document.querySelector<HTMLMetaElement>('meta[name="weft-service"]')?.content ?? ""
).split("|");

/** The service as its operator and its release name it. `environment`: "" where it has no name. */
export const SERVICE = { version, environment, name: name === "" ? "Weft" : name } as const;

export const RULES = {
  /** It may change something; in a playground alone, run what is written there. */
  act: mode === "act" || mode === "playground",
  /** There is nothing but the playground. */
  playground: mode === "playground",
  values: words.includes("values"),
  /** Inputs of jobs and journals are shown with their values, too. */
  journals: words.includes("journals"),
  people: words.includes("people"),
  /** The service lists jobs, recent runs and questions. */
  lists: !words.includes("unlisted"),
} as const;

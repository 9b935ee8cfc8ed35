/** The fetcher of documents, loaded with its HTTP client at the first fetch: most processes make none. */
import { RUNTIME_VERSION } from "../vm/version.ts";
import type { DocumentFetcher } from "./fetch-document.ts";

export function lazyFetcher(): DocumentFetcher {
  let fetcher: DocumentFetcher | null = null;
  return async (address, options) => {
    if (fetcher === null) {
      const { createDocumentFetcher } = await import("./fetch-document.ts");
      fetcher = createDocumentFetcher({ userAgent: `weft/${RUNTIME_VERSION}` });
    }
    return fetcher(address, options);
  };
}

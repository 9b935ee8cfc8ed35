/** Why a document was not fetched: the codes of the import tools. Messages name hosts and sizes, never content. */
export type FetchErrorCode =
  | "invalid_request"
  | "fetch_blocked"
  | "fetch_failed"
  | "fetch_timeout"
  | "too_large"
  | "not_text"
  | "not_utf8"
  | "too_many_redirects";

export class FetchRefusal extends Error {
  readonly code: FetchErrorCode;
  /** Of the answer, when there was one. */
  readonly status: number | null;

  constructor(code: FetchErrorCode, message: string, status: number | null = null) {
    super(message);
    this.name = "FetchRefusal";
    this.code = code;
    this.status = status;
  }
}

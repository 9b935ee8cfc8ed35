/** The state of a job as a word with a colour; the word says it all. */
const KINDS: Readonly<Record<string, string>> = {
  succeeded: "good",
  running: "busy",
  cancelling: "busy",
  queued: "idle",
  waiting: "waits",
  sleeping: "waits",
  failed: "bad",
  timed_out: "bad",
  interrupted: "bad",
  rejected: "bad",
  cancelled: "quiet",
  expired: "quiet",
};

export function Status({ status }: { readonly status: string }) {
  return <span class={`status ${KINDS[status] ?? "idle"}`}>{status.replaceAll("_", " ")}</span>;
}

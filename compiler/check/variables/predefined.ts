/** Names that are there without being set: by the runtime, or by the host that authenticated a caller. */
export const PREDEFINED: readonly string[] = [
  "_auth_present",
  "_role",
  "_error",
  "_error_info",
  "_call_result",
  "_loop_last",
  "_while_last",
  "_txid",
];

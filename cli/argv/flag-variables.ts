/** Flags of commands that start the service, which knows variables only: its faults name the flag that the user gave. */
const FLAG_OF: Readonly<Record<string, string>> = {
  WF_HOST: "--host",
  WF_PORT: "--port",
  WF_SECURITY_PROFILE: "--profile",
  WF_STATE_DIR: "--state-dir",
  WF_DATA_ROOT: "--data-root",
  WF_DATABASE_URL: "--database-url",
  WF_WORKER_THREADS: "--workers",
  WF_LOG_LEVEL: "--log-level",
  WF_LOG_FORMAT: "--log-format",
};

/** Replaces the variable by the flag that the user gave in an error of the service, which knows variables only. */
export function inFlags(text: string, given: Readonly<Record<string, unknown>>): string {
  return text.replace(/environment variable (WF_[A-Z_]+)/g, (whole, name: string) =>
    Object.hasOwn(given, name) ? `option ${FLAG_OF[name] ?? name}` : whole,
  );
}

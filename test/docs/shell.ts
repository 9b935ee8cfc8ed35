/** Pages whose lines a shell runs need bash and curl, which may be missing. */
import { execFileSync } from "node:child_process";

/** True, with a line on stderr that names the test file, where lines with curl cannot be run. */
export function lacksCurl(file: string): boolean {
  try {
    execFileSync("bash", ["-c", "curl --version"], { stdio: "ignore" });
    return false;
  } catch {
    console.warn(`${file}: skipped, bash or curl is missing`);
    return true;
  }
}

/** `--server` of the commands that ask a running service. */
import { Option } from "../../argv/clipanion.ts";

/** The flag as a member of a command; without it, the environment says where the service is. */
export function serverFlag(): string | undefined {
  return Option.String("--server", {
    description: "<URL> address of the service (WF_SERVER; default: http://127.0.0.1:8770)",
  });
}

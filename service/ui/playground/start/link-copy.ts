/** Puts the link to a program into the address of the page and, where the browser lets it, into the clipboard. */
import { Refused } from "../../api.ts";
import { say } from "../../look/toast.tsx";
import { address } from "../../router.ts";
import { fragmentOf } from "./link.ts";

/** Rejects with Refused where the program is too long. */
export async function copyLink(code: string): Promise<void> {
  const fragment = fragmentOf(code);
  if (fragment === null)
    throw new Refused(0, {
      message: "the program is too long for a link, which holds 48 KB; save it as a file instead",
    });
  history.replaceState(null, "", address(["playground"]) + fragment);
  const isCopied = await copied(location.href);
  say(
    `${isCopied ? "The link is copied" : "The link is the address of the page now"}. It holds the program, without the variables.`,
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

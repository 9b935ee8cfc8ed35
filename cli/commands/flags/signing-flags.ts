/** Flags of the commands that bring signed versions to a service (`cli/programs/signing.ts`). */
import { Option } from "../../argv/clipanion.ts";

export const signFlag = () => Option.String("--sign", { description: "<KEY> sign it with this private key (PEM)" });
export const whoFlag = () =>
  Option.String("--who", {
    description: "<NAME> --sign: what the signer is called (default: the name of the key's file)",
  });
export const attestationFlag = () =>
  Option.String("--attestation", { description: "<FILE> its attestation, made by wf sign program" });

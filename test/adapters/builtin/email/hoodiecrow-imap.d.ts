/** What the tests use of hoodiecrow-imap, which brings no types. */
declare module "hoodiecrow-imap" {
  import type { Server } from "node:net";

  export type StoredMessage = { readonly uid: number; readonly flags: string[]; readonly raw: string };
  export type StoredFolder = { messages: StoredMessage[]; uidvalidity: number };
  export type Hoodiecrow = {
    readonly server: Server;
    listen(port: number, host: string, listening: () => void): void;
    close(done: () => void): void;
    getMailbox(path: string): StoredFolder;
  };
  // biome-ignore lint/style/noDefaultExport: the package's own shape
  export default function hoodiecrow(options: object): Hoodiecrow;
}
